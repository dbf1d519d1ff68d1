// Hints: requests the value of each move of the board that is shown, now and not before, and draws them. A
// new board aborts the question about the old one. Answers are remembered, so undo and looking back cost nothing.

import {ApiError, Latest, ask, chosenJudge, evaluatorsOf, offered, server, sleep} from './api.js';
import {drawBars} from './bars.js';
import {byId, duration, element, judgeName, number, store} from './dom.js';
import {Outlook} from './outlook.js';
import {lossGrade, lossShare, percent, secondBest} from './reasons.js';
import {parseBoard, sizeName, toDigits} from './rules.js';

const TIMES_MS = [5, 10, 20, 50, 100, 200, 500, 1000, 2000];
const REMEMBERED = 400;

export class Hints {
    #latest = new Latest();
    #memory = new Map();
    #settings = store.get('hints', {on: true, kind: 'depth', depth: 3, ms: 50});
    #game = null;
    #outlook;

    // `onChange` is called when the person turns hints on or off or moves the slider.
    constructor(onChange) {
        const save = () => {
            store.set('hints', this.#settings);
            this.#drawControls();
            onChange();
        };
        byId('hints-on').addEventListener('change', (event) => {
            this.#settings.on = event.target.checked;
            save();
        });
        for (const radio of document.getElementsByName('effort'))
            radio.addEventListener('change', () => {
                this.#settings.kind = radio.value;
                save();
            });
        byId('effort').addEventListener('input', (event) => {
            const place = Number(event.target.value);
            if (this.#settings.kind === 'depth') this.#settings.depth = place;
            else this.#settings.ms = TIMES_MS[place];
            save();
        });
        byId('judge-choice').addEventListener('change', ({target}) => {
            store.set('judge', target.value);
            this.#memory.clear();
            save();
        });
        server.addEventListener('change', () => {
            this.#memory.clear(); // another network may evaluate now
            this.#outlook.stop();
            this.#drawControls();
        });
        this.#outlook = new Outlook(() => this.effort, onChange);
        this.#drawControls();
    }

    toggle() {
        byId('hints-on').click();
    }

    #drawControls() {
        const {on, kind, depth, ms} = this.#settings;
        const limits = server.health?.limits ?? {max_depth: 5, max_ms: 2000};
        const slider = byId('effort');
        byId('hints-on').checked = on;
        byId('judge').hidden = byId('caption').hidden = byId('why').hidden = !on;
        byId('outlook').hidden = !on;
        if (!on) byId('arrow').hidden = true;
        for (const radio of document.getElementsByName('effort')) radio.checked = radio.value === kind;
        const isDepth = kind === 'depth';
        const times = TIMES_MS.filter((time) => time <= limits.max_ms);
        slider.min = isDepth ? 1 : 0;
        slider.max = isDepth ? limits.max_depth : times.length - 1;
        slider.value = isDepth ? Math.min(depth, limits.max_depth) : Math.max(0, times.indexOf(ms));
        slider.setAttribute('aria-label', isDepth ? 'Depth of the search' : 'Time for a move');
        const text = isDepth
            ? `${slider.value} ${slider.value === '1' ? 'ply' : 'plies'}`
            : duration(times[slider.value]);
        byId('effort-text').textContent = text;
        slider.setAttribute('aria-valuetext', text);
    }

    // The choice between the evaluators of a board, where there is one.
    #drawJudges(board) {
        const judges = evaluatorsOf(board).map(({judge}) => judge);
        const field = byId('judge-field'),
            choice = byId('judge-choice');
        field.hidden = judges.length < 2;
        if ([...choice.options].map(({value}) => value).join() !== judges.join())
            choice.replaceChildren(...judges.map((judge) => element('option', {value: judge}, judgeName(judge))));
        choice.value = chosenJudge(board) ?? judges[0];
    }

    get effort() {
        const {kind, depth, ms} = this.#settings;
        const limits = server.health?.limits;
        return kind === 'depth'
            ? {depth: Math.min(depth, limits?.max_depth ?? depth)}
            : {ms: Math.min(ms, limits?.max_ms ?? ms)};
    }

    // The server's answer about a board. A busy server gets the request again when it says so; other failures are thrown.
    async ask(board, signal) {
        const {rows, cols} = board;
        const question = {board: toDigits(board), rows, cols, judge: chosenJudge(board), ...this.effort};
        const key = JSON.stringify(question);
        if (this.#memory.has(key)) return this.#memory.get(key);
        for (;;) {
            try {
                const hint = await ask('/api/hint', question, signal);
                this.#memory.set(key, hint);
                if (this.#memory.size > REMEMBERED) this.#memory.delete(this.#memory.keys().next().value);
                return hint;
            } catch (error) {
                if (error.status !== 429) throw error;
                await sleep(error.retrySeconds * 1000, signal);
            }
        }
    }

    // Shows hints for a game as it stands, as soon as the answer is there.
    async update(game) {
        this.#game = game;
        this.#drawJudges(game.board);
        byId('loss').hidden = !this.#settings.on || server.gone || !game.last;
        byId('loss').classList.add('stale'); // kept in its place until the new one is known, so that nothing jumps
        if (!this.#settings.on || server.gone || !offered(game.board)) {
            this.#latest.abort();
            this.#clear(
                server.gone
                    ? 'No hints while the server is gone.'
                    : server.health
                      ? `This server evaluates no ${sizeName(game.board)} boards.`
                      : '',
            );
            return;
        }
        byId('bars').classList.add('stale');
        byId('bars').classList.remove('instant');
        byId('arrow').hidden = true;
        try {
            const hint = game.isOver ? null : await this.#latest.run((signal) => this.ask(game.board, signal));
            if (hint === undefined) return; // a later board took its place
            if (hint) {
                this.show(hint);
                this.#outlook.update(game.board);
            } else this.#clear('The game is over.');
            await this.#showLoss(game);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.#clear(error.status === 0 ? 'No hints while the server is gone.' : error.message);
        }
    }

    // Draws what the program thinks while it plays. When it plays fast the bars jump: a bar that slides from one number
    // to another shows neither.
    showThought(hint, isFast) {
        this.#outlook.stop();
        byId('loss').hidden = true;
        byId('bars').classList.toggle('instant', isFast);
        this.show(hint);
        if (isFast) byId('arrow').hidden = true; // it belongs to a board that is gone
    }

    // Draws an answer. A table's exact values take the place of the search's.
    show(hint) {
        if (!this.#settings.on) return;
        const shown = hint.exact ?? hint;
        const isHandMade = hint.judge === 'simple' && !hint.exact; // its values are no points
        byId('bars').classList.remove('stale');
        byId('bars').dataset.board = hint.board;
        byId('bars').hidden = false;
        drawBars(byId('bars'), shown.moves, shown.best);
        byId('caption').textContent =
            isHandMade
                ? 'Hand-made value of each move. A full track is 2% of it.'
                : 'Points still to come after each move. A full track is 2% of them.';
        byId('judge').textContent = hint.exact ? exactNote(hint) : searchNote(hint);
        byId('arrow').hidden = shown.best === null;
        byId('arrow').dataset.direction = shown.best;
        byId('why').textContent =
            shown.best === null
                ? ''
                : secondBest(
                      parseBoard(hint.board, hint.rows, hint.cols),
                      shown.moves,
                      shown.best,
                      number,
                      isHandMade ? '' : ' points',
                  );
    }

    #clear(text) {
        byId('bars').classList.remove('stale');
        byId('bars').dataset.board = '';
        byId('bars').hidden = true;
        byId('arrow').hidden = true;
        byId('caption').textContent = byId('why').textContent = '';
        byId('judge').textContent = text;
        this.#outlook.clear();
    }

    // What the last move lost: known from the hint that was shown there, or requested once the present board is answered.
    async #showLoss(game) {
        const last = game.last;
        if (!last || !offered(last.board)) return;
        const before = await this.#latest.run((signal) => this.ask(last.board, signal));
        if (!before || this.#game !== game || game.last?.board !== last.board) return;
        const shown = before.exact ?? before;
        const loss = shown.moves[shown.best] - shown.moves[last.direction];
        const share = lossShare(loss, shown.moves[shown.best]);
        const place = byId('loss');
        place.dataset.board = toDigits(last.board);
        const kind = before.exact ? 'exactly ' : '';
        place.textContent =
            loss === 0
                ? `The last move, ${last.direction}, was ${before.exact ? 'optimal' : 'the best'}: it lost nothing.`
                : `The last move, ${last.direction}, lost ${kind}${number(loss)} points against ${shown.best}, ` +
                  `${percent(share)} of what was still to come.`;
        place.dataset.loss = String(loss);
        place.className = `loss ${loss === 0 ? 'none' : lossGrade(share)}`;
        place.hidden = false;
    }
}

function exactNote(hint) {
    const opinion = hint.exact.best === hint.best ? 'The search agrees' : `The search would go ${hint.best}`;
    return `Exact, from the table ${hint.exact.table}. ${opinion} (${judgeName(hint.judge)}, depth ${hint.depth}).`;
}

function searchNote(hint) {
    const unreached = offered(hint)?.table && hint.exact_missing;
    const time = hint.ms === undefined ? '' : `, ${duration(hint.ms)}`;
    const note = unreached ? ' No game reaches this board, so the table does not know it.' : '';
    return `By ${judgeName(hint.judge)}, depth ${hint.depth}${time}.${note}`;
}
