// The Review view: a game, each move judged by the server as it streams in; the loss graph, the worst moves, and a
// board to walk through. The game comes from the Play view, from a record file, or from a game saved or pasted as JSON.

import {ApiError, Latest, server, sleep, stream} from './api.js';
import {drawBars} from './bars.js';
import {BoardView} from './board_view.js';
import {Chart} from './chart.js';
import {announce, byId, element, judgeName, number, plural, setCurrent, showError} from './dom.js';
import {DIRECTIONS, parseBoard} from './rules.js';

const N_WORST = 25,
    DRAW_EVERY_MS = 250,
    SMALLEST_LOSS = 1e-9;

export class ReviewView {
    #latest = new Latest();
    #view = new BoardView(byId('review-board'));
    #chart = new Chart(byId('review-chart'));
    #source = null; // {body, name}
    #head = null; // the review's first line and its name; the old review stays until a new one begins
    #moves = []; // the judged moves, as the server gave them
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
                        return await stream('/api/review', parameters, body, signal, (line) => {
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
        announce(`${plural(this.#moves.length, 'move')} judged. ${byId('review-about').textContent}`);
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
        const lost = moves.filter((move) => this.#loss(move) > SMALLEST_LOSS);
        const total = lost.reduce((sum, move) => sum + this.#loss(move), 0);
        const game = `${head.rows}x${head.cols}, ${plural(head.moves, 'move')}, score ${number(head.score)}`;
        const judge = head.table ? `the table ${head.table}` : `${judgeName(head.judge)} at depth ${head.depth}`;
        byId('review-about').textContent =
            `${head.name}: ${game}. ${moves.length - lost.length} of ${moves.length} moves were ` +
            `the best; the others lost ${number(total)} points by ${judge}.`;
        byId('review-progress').value = moves.length;
        this.#chart.show({
            kind: 'stem',
            fromZero: true,
            xLabel: 'move',
            yLabel: 'loss',
            marker: this.#at + 1,
            label: `Loss of each move; ${plural(lost.length, 'move')} of ${moves.length} lost something`,
            series: [
                {
                    name: 'loss',
                    x: moves.map((move) => move.move + 1),
                    y: moves.map((move) => Math.max(0, this.#loss(move))),
                    colour: 5,
                },
            ],
            onPick: (x) => this.#go(x - 1),
        });
        const worst = lost.toSorted((a, b) => this.#loss(b) - this.#loss(a)).slice(0, N_WORST);
        byId('review-worst').replaceChildren(
            ...worst.map((move) => {
                const button = element(
                    'button',
                    {type: 'button', 'data-move': move.move},
                    element('span', {}, `#${move.move + 1}`),
                    element('span', {}, `${move.direction}, not ${move.best}`),
                    element('span', {class: 'lost'}, `−${number(this.#loss(move))}`),
                );
                button.addEventListener('click', () => this.#go(move.move));
                return element('li', {}, button);
            }),
        );
        if (worst.length === 0)
            byId('review-worst').append(
                element('li', {class: 'small'}, this.#end ? 'None: every move was the best one.' : 'None so far.'),
            );
        this.#go(this.#at);
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
            ? `${played} It lost ${number(move.loss)} against ${move.best}.${exact}`
            : `${played} The best by the search.${exact}`;
    }
}
