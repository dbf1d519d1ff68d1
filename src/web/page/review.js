// The Review view: a game, each move evaluated by the server as it streams in; how good the moves were in figures that do
// not grow with the length of the game, accuracy and losses along the game, the worst moves, and a board to walk
// through. The game comes from the Play view, from a record file, or from a game saved or pasted as JSON.

import {ApiError, Latest, server, sleep, stream} from './api.js';
import {drawBars} from './bars.js';
import {BoardView} from './board_view.js';
import {Chart} from './chart.js';
import {announce, byId, element, judgeName, number, plural, setCurrent, showError} from './dom.js';
import {lossGrade, percent} from './reasons.js';
import {DIRECTIONS, parseBoard} from './rules.js';

const N_WORST = 25,
    DRAW_EVERY_MS = 250,
    SMALLEST_LOSS = 1e-9,
    CURVE_PARTS = 25, // the accuracy curve is a mean over this part of the game
    CURVE_LEAST = 5; // and over so many moves at least

export class ReviewView {
    #latest = new Latest();
    #view = new BoardView(byId('review-board'));
    #chart = new Chart(byId('review-chart'));
    #accuracy = new Chart(byId('review-accuracy'));
    #source = null; // {body, name}
    #head = null; // the review's first line and its name; the old review stays until a new one begins
    #moves = []; // the evaluated moves, as the server gave them
    #end = null;
    #at = 0; // the move that is shown; #moves.length is the end of the game
    #drawn = 0;
    #currentGame;

    // `currentGame()` is the game just played; `playFrom(board)` opens a board in the Play view.
    constructor(currentGame, playFrom) {
        this.#currentGame = currentGame;
        byId('review-mine').addEventListener('click', () => this.openGame(currentGame()));
        byId('review-file').addEventListener('change', (event) => this.#openFile(event.target));
        byId('review-paste').addEventListener('click', () => byId('paste').showModal());
        byId('paste-cancel').addEventListener('click', () => byId('paste').close(''));
        byId('paste').addEventListener('close', () => {
            if (byId('paste').returnValue === 'review')
                this.#open({body: byId('paste-text').value.trim(), name: 'Pasted game'});
            byId('paste').returnValue = '';
        });
        byId('review-depth').addEventListener('change', () => this.#start());
        byId('review-index').addEventListener('change', () => this.#start());
        byId('review-first').addEventListener('click', () => this.#go(0));
        byId('review-back').addEventListener('click', () => this.#go(this.#at - 1));
        byId('review-next').addEventListener('click', () => this.#go(this.#at + 1));
        byId('review-last').addEventListener('click', () => this.#go(Infinity));
        byId('review-play').addEventListener('click', () => playFrom(this.#board(this.#at)));
        server.addEventListener('change', () => this.#drawDepths());
        this.#drawDepths();
    }

    show() {
        byId('review-mine').disabled = this.#currentGame().moves === 0;
    }

    hide() {}

    key(event) {
        if (!this.#head) return false;
        const jobs = {
            ArrowLeft: () => this.#go(this.#at - 1),
            ArrowRight: () => this.#go(this.#at + 1),
            Home: () => this.#go(0),
            End: () => this.#go(Infinity),
            PageUp: () => this.#go(this.#at - 20),
            PageDown: () => this.#go(this.#at + 20),
        };
        jobs[event.key]?.();
        return event.key in jobs;
    }

    openGame(game) {
        if (game.moves === 0) {
            showError(byId('review-error'), new Error('This game has no move yet: play some, then review them.'));
            return;
        }
        this.#open({body: JSON.stringify(game), name: 'The game just played'});
    }

    #open(source) {
        byId('review-index').value = 1;
        byId('review-game-field').hidden = true;
        this.#source = source;
        this.#start();
    }

    #openFile(input) {
        const [file] = input.files;
        input.value = '';
        if (!file) return;
        this.#open({body: file, name: file.name});
    }

    #drawDepths() {
        const select = byId('review-depth'),
            chosen = select.value || '2';
        const deepest = server.health?.limits.max_depth ?? 3;
        select.replaceChildren(
            ...Array.from({length: deepest}, (_, i) =>
                element('option', {value: i + 1, selected: String(i + 1) === chosen}, String(i + 1)),
            ),
        );
    }

    async #start() {
        if (!this.#source) return;
        const {body, name} = this.#source;
        showError(byId('review-error'), null);
        const parameters = {
            depth: byId('review-depth').value,
            game: Math.max(0, Number(byId('review-index').value) - 1 || 0),
        };
        try {
            await this.#latest.run(async (signal) => {
                for (;;) {
                    try {
                        let isFirst = true;
                        return await stream('/api/review', parameters, {body, signal}, (line) => {
                            if (!signal.aborted) this.#take(line, isFirst, name);
                            isFirst = false;
                        });
                    } catch (error) {
                        if (error.status !== 429) throw error;
                        await sleep(error.retrySeconds * 1000, signal);
                    }
                }
            });
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            showError(byId('review-error'), error);
        }
        byId('review-progress').hidden = true;
    }

    #take(line, isFirst, name) {
        if (line.error) throw new ApiError(line.error, 400);
        if (isFirst) this.#begin(line, name);
        else if (line.end) this.#finish(line);
        else if (this.#moves.push(line) && performance.now() - this.#drawn > DRAW_EVERY_MS) this.#draw();
    }

    #begin(head, name) {
        this.#head = {...head, name};
        this.#moves = [];
        this.#end = null;
        this.#at = 0;
        byId('review-empty').hidden = true;
        byId('review-body').hidden = false;
        byId('review-progress').hidden = false;
        byId('review-progress').max = Math.max(1, head.n);
        byId('review-game-field').hidden = head.games < 2;
        byId('review-index').max = head.games;
        this.#drawn = 0;
        this.#draw();
    }

    #finish(end) {
        this.#end = end;
        this.#draw();
        announce(
            `${plural(this.#moves.length, 'move')} evaluated: accuracy ${percent(end.quality.accuracy ?? 0)}, ` +
                `${plural(end.quality.blunders, 'blunder')}.`,
        );
    }

    // The exact loss where a table knows it, else the search's.
    #loss(move) {
        return move.exact_loss ?? move.loss;
    }

    #board(at) {
        const {rows, cols, start} = this.#head;
        const digits =
            at < this.#moves.length ? this.#moves[at].board : (this.#end?.final ?? this.#moves.at(-1)?.board ?? start);
        return parseBoard(digits, rows, cols);
    }

    #draw() {
        this.#drawn = performance.now();
        const head = this.#head,
            moves = this.#moves;
        const game = `${head.rows}x${head.cols}, ${plural(head.moves, 'move')}, score ${number(head.score)}`;
        const judge = head.table ? `the table ${head.table}` : `${judgeName(head.judge)} at depth ${head.depth}`;
        byId('review-about').textContent = `${head.name}: ${game}. Evaluated by ${judge}.`;
        byId('review-progress').value = moves.length;
        this.#drawFacts();
        this.#drawAccuracy();
        this.#drawLosses();
        this.#drawWorst();
        this.#go(this.#at);
    }

    // The figures of the whole game come with its end; until then those that can be counted.
    #drawFacts() {
        const moves = this.#moves,
            quality = this.#end?.quality;
        const count = (test) => moves.filter(test).length;
        const best = count((move) => !(this.#loss(move) > SMALLEST_LOSS));
        const blunders = count((move) => lossGrade(move.loss_share) === 'blunder');
        const mistakes = count((move) => lossGrade(move.loss_share) === 'mistake');
        const accuracy = moves.reduce((sum, move) => sum + move.accuracy, 0) / moves.length;
        const facts = [
            ['Accuracy', moves.length ? percent(quality?.accuracy ?? accuracy) : '–'],
            ['Best moves', moves.length ? `${percent(best / moves.length)}` : '–'],
            ['Blunders', number(quality?.blunders ?? blunders)],
            ['Mistakes', number(quality?.mistakes ?? mistakes)],
            ['Median loss of the others', quality ? pointsText(quality.median_loss) : '…'],
            ['Worst loss', quality ? `${pointsText(quality.worst_loss)}, ${percent(quality.worst_share)}` : '…'],
        ];
        byId('review-facts').replaceChildren(
            ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
        );
        byId('review-limits').textContent =
            'A blunder loses 1% or more of the points that were still to come, a mistake 0.1% or more. Accuracy is 100% ' +
            'for the best move and halves with each 1% lost.';
    }

    #drawAccuracy() {
        const moves = this.#moves;
        const window = Math.max(CURVE_LEAST, Math.ceil(this.#head.n / CURVE_PARTS));
        const means = [];
        let sum = 0;
        moves.forEach((move, i) => {
            sum += move.accuracy - (i >= window ? moves[i - window].accuracy : 0);
            means.push((100 * sum) / Math.min(i + 1, window));
        });
        this.#accuracy.show({
            xLabel: 'move',
            yLabel: 'accuracy in %',
            marker: this.#at + 1,
            label: `Accuracy in percent, mean of ${window} moves`,
            series: [{name: `mean of ${window} moves`, x: moves.map((move) => move.move + 1), y: means, colour: 1}],
            onPick: (x) => this.#go(x - this.#head.from - 1),
        });
    }

    #drawLosses() {
        const moves = this.#moves;
        this.#chart.show({
            kind: 'stem',
            fromZero: true,
            xLabel: 'move',
            yLabel: 'loss in %',
            marker: this.#at + 1,
            label: 'Loss of each move in percent of the points that were still to come',
            series: [
                {
                    name: 'loss in %',
                    x: moves.map((move) => move.move + 1),
                    y: moves.map((move) => 100 * move.loss_share),
                    colour: 5,
                },
            ],
            onPick: (x) => this.#go(x - this.#head.from - 1),
        });
    }

    #drawWorst() {
        const worst = this.#moves
            .filter((move) => this.#loss(move) > SMALLEST_LOSS)
            .sort((a, b) => b.loss_share - a.loss_share)
            .slice(0, N_WORST);
        byId('review-worst').replaceChildren(
            ...worst.map((move) => {
                const button = element(
                    'button',
                    {type: 'button', 'data-move': move.move, class: lossGrade(move.loss_share)},
                    element('span', {}, `#${move.move + 1}`),
                    element('span', {}, `${move.direction}, not ${move.best}`),
                    element('span', {class: 'lost'}, `−${number(this.#loss(move))} (${percent(move.loss_share)})`),
                );
                button.addEventListener('click', () => this.#go(move.move - this.#head.from));
                return element('li', {}, button);
            }),
        );
        if (worst.length === 0)
            byId('review-worst').append(
                element('li', {class: 'small'}, this.#end ? 'None: every move was the best one.' : 'None so far.'),
            );
    }

    #go(to) {
        const moves = this.#moves;
        this.#at = Math.min(moves.length, Math.max(0, to));
        const move = moves[this.#at];
        this.#view.show(this.#board(this.#at));
        byId('review-place').textContent = move
            ? `${this.#at + 1} / ${this.#head.moves}`
            : `end of ${this.#head.moves}`;
        byId('review-back').disabled = byId('review-first').disabled = this.#at === 0;
        byId('review-next').disabled = byId('review-last').disabled = this.#at >= moves.length;
        this.#chart.mark(this.#at + 1);
        this.#accuracy.mark(this.#at + 1);
        drawBars(
            byId('review-bars'),
            move ? move.values : Object.fromEntries(DIRECTIONS.map((direction) => [direction, null])),
            move?.best ?? null,
            move?.direction ?? null,
        );
        byId('review-move').textContent = move ? this.#sentence(move) : 'Here the record ends.';
        for (const item of byId('review-worst').children)
            setCurrent(item, 'true', item.firstElementChild?.dataset?.move === String(this.#at));
    }

    #sentence(move) {
        const played = `Played ${move.direction}, then a ${move.spawn.tile} appeared. Score ${number(move.score)}.`;
        const exact =
            move.exact_loss === null
                ? ''
                : move.exact_loss > SMALLEST_LOSS
                  ? ` By the table it lost exactly ${number(move.exact_loss)} points.`
                  : ' By the table it was optimal.';
        return move.loss > SMALLEST_LOSS
            ? `${played} It lost ${number(move.loss)} points against ${move.best} by the search.${exact}`
            : `${played} The best by the search.${exact}`;
    }
}

// '1 point', '12.5 points'.
const pointsText = (points) => `${number(points)} point${points === 1 ? '' : 's'}`;
