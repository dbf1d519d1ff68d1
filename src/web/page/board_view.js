// A board on the page. Each tile is an element; a move slides them by CSS (tiles.css), two that merge make way for a
// new one that pops up when they have arrived, and a spawn fades in. A move that comes early ends the one before at
// once.

import {element} from './dom.js';
import {face, sizeName, toNumbers} from './rules.js';

const SLIDE_MS = 110;

export class BoardView {
    #root;
    #tiles = new Map(); // cell -> element
    #leaving = []; // elements that slide into a merger
    #timer = 0;
    board = null;

    constructor(root) {
        this.#root = root;
        root.style.setProperty('--slide', `${SLIDE_MS}ms`);
    }

    // Draws a board as it stands.
    show(board) {
        this.#settle();
        this.#root.classList.add('still');
        if (!this.board || sizeName(this.board) !== sizeName(board)) this.#drawCells(board);
        this.board = board;
        for (const [cell, tile] of this.#tiles)
            if (Number(tile.dataset.value) !== board.cells[cell]) {
                tile.remove();
                this.#tiles.delete(cell);
            }
        board.cells.forEach((value, cell) => {
            if (value > 0 && !this.#tiles.has(cell)) this.#add(cell, value, '');
        });
        this.#describe();
    }

    // Plays a move: `played` is what Game.play() gave, `board` what is there now.
    move(played, board) {
        this.#settle();
        this.#root.classList.remove('still');
        const tiles = new Map();
        for (const {from, to, value, merges} of played.slides) {
            const tile = this.#tiles.get(from);
            this.#place(tile, to);
            if (!merges) tiles.set(to, tile);
            else if (this.#leaving.push(tile) && !tiles.has(to)) tiles.set(to, this.#make(to, value + 1, 'merged'));
        }
        this.#tiles = tiles;
        // Only the new ones: an element that is appended again begins where it ends.
        this.#root.append(...[...tiles.values()].filter((tile) => !tile.isConnected));
        this.#add(played.spawn.cell, played.spawn.value, 'spawned');
        this.board = board;
        this.#timer = setTimeout(() => this.#settle(), SLIDE_MS);
        this.#describe();
    }

    #settle() {
        clearTimeout(this.#timer);
        this.#leaving.forEach((tile) => tile.remove());
        this.#leaving = [];
    }

    #drawCells(board) {
        this.#tiles.clear();
        this.#root.style.setProperty('--rows', board.rows);
        this.#root.style.setProperty('--cols', board.cols);
        this.board = board;
        this.#root.replaceChildren(...board.cells.map((_, cell) => this.#place(element('div', {class: 'cell'}), cell)));
    }

    #add(cell, value, kind) {
        const tile = this.#make(cell, value, kind);
        this.#tiles.set(cell, tile);
        this.#root.append(tile);
    }

    #make(cell, value, kind) {
        const text = String(face(value));
        return this.#place(
            element(
                'div',
                {class: `tile ${kind}`, 'data-value': value, 'data-length': text.length},
                element('span', {}, text),
            ),
            cell,
        );
    }

    #place(item, cell) {
        item.style.setProperty('--r', Math.floor(cell / this.board.cols));
        item.style.setProperty('--c', cell % this.board.cols);
        return item;
    }

    #describe() {
        this.#root.setAttribute('aria-label', `Board, row by row: ${toNumbers(this.board).replaceAll(' / ', '; ')}`);
    }

    // Puts a button over each cell, for setting a board up; returns them, and removeButtons() takes them away.
    addButtons(label) {
        const buttons = this.board.cells.map((_, cell) =>
            this.#place(
                element('button', {
                    type: 'button',
                    class: 'cell-button',
                    'aria-label': label(cell),
                    tabindex: cell === 0 ? 0 : -1,
                }),
                cell,
            ),
        );
        this.#root.append(...buttons);
        return buttons;
    }

    removeButtons() {
        this.#root.querySelectorAll('.cell-button').forEach((button) => button.remove());
    }
}
