// Practice with exact odds: positions of a table that was solved for a tile, boards with locked tiles among them. The
// table says the chance of each move; the view says what the last one cost, and how often the tile was made so far
// beside how often perfect play would have made it.

import {ApiError, Latest, ask} from './api.js';
import {drawBars} from './bars.js';
import {BoardView} from './board_view.js';
import {announce, byId, number, plural, showError, store} from './dom.js';
import {MOVE_KEYS, listenToSwipes} from './input.js';
import {readAnyBoard} from './paste.js';
import {lossGrade, lossShare} from './reasons.js';
import {DIRECTIONS, drawSpawn, emptyBoard, moveBoard, sizeName, toDigits, withTile} from './rules.js';

const START_SUMS = [12, 14, 16, 18, 20]; // of the free tiles, as the solver begins
const LARGEST = 17;

// The tile whose chance the values of a table are ('tile:512'); undefined where they are scores.
export const goalOf = (table) => table.objective.match(/^tile:(\d+)$/)?.[1];

const percents = (chance) => `${(100 * chance).toLocaleString('en-US', {maximumFractionDigits: 2})}%`;

// A random position of a table: locked tiles that are larger than the goal, and 2s and 4s on free cells.
export function drawPosition(table, random = Math.random) {
    const {rows, cols} = table;
    const walls = table.walls ?? [];
    const goal = Math.log2(Number(goalOf(table)));
    const smallest = Math.min(goal + 1, LARGEST - walls.length + 1);
    let board = emptyBoard(rows, cols);
    walls.forEach((cell, i) => {
        board = withTile(board, cell, smallest + walls.length - 1 - i);
    });
    if (walls.length === 0) {
        for (let tile = 0; tile < 2; tile++) {
            const {cell, value} = drawSpawn(board, random, table.four_chance);
            board = withTile(board, cell, value);
        }
        return board;
    }
    let left = START_SUMS[Math.floor(random() * START_SUMS.length)];
    while (left > 0 && board.cells.includes(0)) {
        const {cell, value} = drawSpawn(board, random, 0.5);
        const fits = left >= 4 ? value : 1;
        board = withTile(board, cell, fits);
        left -= 2 ** fits;
    }
    return left === 0 ? board : drawPosition(table, random);
}

// Has the goal been made: on a free cell, or on one of those that count.
export function isMade(table, board) {
    const goal = Math.log2(Number(goalOf(table)));
    const walls = new Set(table.walls ?? []);
    const counted = table.at?.length ? new Set(table.at) : null;
    return board.cells.some((value, cell) => value >= goal && !walls.has(cell) && (!counted || counted.has(cell)));
}

export class Practice {
    #latest = new Latest();
    #view = new BoardView(byId('practice-board'));
    #table = null;
    #board = null;
    #answer = null; // the table's, about the board
    #start = 0; // the chance at the beginning
    #counts = false; // for the success rate: positions that were drawn do

    constructor() {
        byId('practice-board').tabIndex = 0;
        byId('practice-new').addEventListener('click', () => this.#draw());
        byId('practice-form').addEventListener('submit', (event) => {
            event.preventDefault();
            this.#setUp(byId('practice-text').value);
        });
        listenToSwipes(byId('practice-board'), (direction) => this.#play(direction));
    }

    get #isOpen() {
        return !byId('practice').hidden;
    }

    open(table) {
        const isFor = goalOf(table) !== undefined && table.values;
        byId('practice').hidden = !isFor;
        if (!isFor || this.#table?.id === table.id) return;
        this.#table = table;
        byId('practice-title').textContent = `Make a ${goalOf(table)}: the exact chance of each move`;
        byId('practice-about').textContent = table.walls
            ? `The ${table.walls.length} large tiles are locked${table.layout ? ` (${table.layout})` : ''}: a move that would move one is not legal. Arrow keys or swipes move.`
            : 'Arrow keys or swipes move.';
        this.#drawRate();
        this.#draw();
    }

    key(event) {
        const direction = MOVE_KEYS[event.key];
        if (!this.#isOpen || !direction) return event.key === 'n' && this.#isOpen ? (this.#draw(), true) : false;
        this.#play(direction);
        return true;
    }

    #draw() {
        showError(byId('practice-error'), null);
        this.#begin(drawPosition(this.#table), true);
    }

    #setUp(text) {
        const {rows, cols} = this.#table;
        try {
            const board = readAnyBoard(text, rows, cols);
            if (sizeName(board) !== sizeName(this.#table))
                throw new Error(`This is a ${sizeName(board)} board; the table is for ${sizeName(this.#table)}.`);
            showError(byId('practice-error'), null);
            this.#begin(board, false);
        } catch (error) {
            showError(byId('practice-error'), error);
        }
    }

    async #begin(board, counts) {
        this.#counts = counts;
        byId('practice-last').hidden = byId('practice-end').hidden = true;
        await this.#show(board);
        this.#start = this.#answer?.value ?? 0;
    }

    // Shows a board and asks the table about it.
    async #show(board) {
        this.#board = board;
        this.#answer = null;
        this.#view.show(board);
        this.#markLocked();
        byId('practice-bars').classList.add('stale');
        try {
            const target = `/api/table/${encodeURIComponent(this.#table.id)}/query`;
            const answer = await this.#latest.run((signal) => ask(target, {board: toDigits(board)}, signal));
            if (!answer) return;
            this.#answer = answer;
            byId('practice-bars').classList.remove('stale');
            byId('practice-bars').dataset.board = toDigits(board);
            drawBars(byId('practice-bars'), answer.moves, answer.best, null, percents);
            if (answer.best === null) this.#end(false);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            showError(byId('practice-error'), error);
        }
    }

    #markLocked() {
        const goal = Math.log2(Number(goalOf(this.#table)));
        const hasWalls = Boolean(this.#table.walls);
        for (const tile of byId('practice-board').querySelectorAll('.tile'))
            tile.classList.toggle('locked', hasWalls && Number(tile.dataset.value) > goal);
    }

    async #play(direction) {
        const answer = this.#answer;
        if (!answer || answer.best === null || !byId('practice-end').hidden) return;
        if (answer.moves[direction] === null) {
            announce(`${direction} is not legal here.`);
            return;
        }
        this.#showCost(answer, direction);
        const moved = moveBoard(this.#board, direction);
        if (isMade(this.#table, moved.board)) {
            this.#board = moved.board;
            this.#view.show(moved.board);
            this.#markLocked();
            this.#end(true);
            return;
        }
        const spawn = drawSpawn(moved.board, Math.random, this.#table.four_chance);
        await this.#show(withTile(moved.board, spawn.cell, spawn.value));
    }

    #showCost(answer, direction) {
        const loss = answer.losses[direction];
        const place = byId('practice-last');
        place.hidden = false;
        place.dataset.loss = String(loss);
        place.className = `loss ${loss > 1e-9 ? lossGrade(lossShare(loss, answer.value)) : 'none'}`;
        place.textContent =
            loss > 1e-9
                ? `The last move, ${direction}, cost ${percents(loss)} of chance against ${answer.best}.`
                : `The last move, ${direction}, was the best: it cost nothing.`;
        announce(place.textContent);
    }

    #end(made) {
        const end = byId('practice-end');
        this.#answer = null;
        end.hidden = false;
        end.textContent = made ? `The ${goalOf(this.#table)} is made.` : 'No legal move is left: not made this time.';
        announce(end.textContent);
        if (this.#counts) {
            const all = store.get('practice', {});
            const {tries, successes, hoped} = all[this.#table.id] ?? {tries: 0, successes: 0, hoped: 0};
            all[this.#table.id] = {tries: tries + 1, successes: successes + made, hoped: hoped + this.#start};
            store.set('practice', all);
        }
        this.#counts = false;
        this.#drawRate();
        if (!made) drawBars(byId('practice-bars'), Object.fromEntries(DIRECTIONS.map((one) => [one, null])), null);
    }

    #drawRate() {
        const {tries = 0, successes = 0, hoped = 0} = store.get('practice', {})[this.#table.id] ?? {};
        byId('practice-rate').textContent =
            tries === 0
                ? 'No position finished yet.'
                : `Made ${successes} of ${plural(tries, 'position')} (${percents(successes / tries)}); perfect play makes ${number(hoped)} of them.`;
    }
}
