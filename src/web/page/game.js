// A game in progress: the board, the score, and every step, so that it can be taken back, kept, saved and reviewed.
//
// A step is one byte as in a record file (docs/FORMATS.md): bits 0-1 the direction, 2-5 the cell of the new tile, 6 set
// for a 4. The steps and the start say everything; boards and scores of the past are remembered for undo.

import {DIRECTIONS, drawSpawn, emptyBoard, legalMoves, moveBoard, parseBoard, toDigits, withTile} from './rules.js';

export const stepDirection = (step) => DIRECTIONS[step & 3];
export const stepSpawn = (step) => ({cell: (step >> 2) & 15, value: step & 64 ? 2 : 1});

export class Game {
    constructor(start) {
        this.start = start;
        this.board = start;
        this.score = 0;
        this.steps = [];
        this.past = []; // {board, score} before each step
        this.future = []; // steps that were taken back, the next one last
    }

    static begin(rows, cols, random = Math.random) {
        let board = emptyBoard(rows, cols);
        for (let tile = 0; tile < 2 && board.cells.includes(0); tile++) {
            const spawn = drawSpawn(board, random);
            board = withTile(board, spawn.cell, spawn.value);
        }
        return new Game(board);
    }

    get isOver() {
        return legalMoves(this.board).length === 0;
    }

    get moves() {
        return this.steps.length;
    }

    // Plays a direction and draws the new tile. Null if nothing moves, else what the view shows: {slides, spawn,
    // reward}.
    play(direction, random = Math.random) {
        const moved = moveBoard(this.board, direction);
        if (!moved.legal) return null;
        this.future = [];
        return this.#finish(direction, moved, drawSpawn(moved.board, random));
    }

    // Plays a recorded step; throws an Error if the rules forbid it.
    playStep(step) {
        const direction = stepDirection(step);
        const moved = moveBoard(this.board, direction);
        const spawn = stepSpawn(step);
        if (!moved.legal || moved.board.cells[spawn.cell] !== 0)
            throw new Error(`move ${this.moves + 1} of the game, ${direction}, is against the rules`);
        return this.#finish(direction, moved, spawn);
    }

    #finish(direction, moved, spawn) {
        this.past.push({board: this.board, score: this.score});
        this.steps.push(DIRECTIONS.indexOf(direction) | (spawn.cell << 2) | (spawn.value === 2 ? 64 : 0));
        this.board = withTile(moved.board, spawn.cell, spawn.value);
        this.score += moved.reward;
        return {slides: moved.slides, spawn, reward: moved.reward};
    }

    // Takes the last move back; false if there is none.
    undo() {
        const before = this.past.pop();
        if (!before) return false;
        this.future.push(this.steps.pop());
        this.board = before.board;
        this.score = before.score;
        return true;
    }

    // Plays the move again that undo() took back last, with the same new tile; null if there is none.
    redo() {
        return this.future.length > 0 ? this.playStep(this.future.pop()) : null;
    }

    // The board that the last move was made on, and that move; null before the first.
    get last() {
        return this.moves === 0
            ? null
            : {board: this.past[this.moves - 1].board, direction: stepDirection(this.steps[this.moves - 1])};
    }

    toJSON() {
        return {
            rows: this.start.rows,
            cols: this.start.cols,
            start: toDigits(this.start),
            steps: this.steps.map((step) => step.toString(16).padStart(2, '0')).join(''),
        };
    }

    // The game that toJSON() wrote; throws an Error on anything else.
    static fromJSON(json) {
        const {rows, cols, start, steps} = json ?? {};
        if (typeof start !== 'string' || typeof steps !== 'string' || !/^([0-7][0-9a-f])*$/.test(steps))
            throw new Error('this is not a saved game: "rows", "cols", "start" and "steps" are expected');
        const game = new Game(parseBoard(start, rows, cols));
        for (let i = 0; i < steps.length; i += 2) game.playStep(parseInt(steps.slice(i, i + 2), 16));
        return game;
    }
}
