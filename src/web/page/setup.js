// Setting a board up: choose a tile and click cells, walk and type with the keyboard, or paste digits or numbers. Text
// and board follow one another; nothing happens to the game until the person says "Play this board".

import {byId, element, showError} from './dom.js';
import {readAnyBoard} from './paste.js';
import {MAX_VALUE, emptyBoard, face, maxValue, toDigits, withTile} from './rules.js';

export class Setup {
    #view;
    #board = null;
    #buttons = [];
    #onDone;
    #brush = '+'; // '+' raises a cell, else a value

    // `onDone(board)` is called with the board to play, or with null when the person gives up.
    constructor(view, onDone) {
        this.#view = view;
        this.#onDone = onDone;
        byId('setup').addEventListener('submit', (event) => {
            event.preventDefault();
            if (this.#readText()) this.#finish(this.#board);
        });
        byId('setup-cancel').addEventListener('click', () => this.#finish(null));
        byId('setup-clear').addEventListener('click', () => this.begin(emptyBoard(this.#board.rows, this.#board.cols)));
        byId('setup-text').addEventListener('input', () => this.#readText());
    }

    get isOpen() {
        return this.#board !== null;
    }

    begin(board) {
        this.#board = null;
        this.#change(board, true);
        this.#setOpen(true);
    }

    cancel() {
        if (this.isOpen) this.#finish(null);
    }

    focus() {
        this.#buttons[0]?.focus();
    }

    #setOpen(isOpen) {
        byId('setup').hidden = !isOpen;
        byId('view-play').classList.toggle('setting-up', isOpen);
        byId('edit').setAttribute('aria-pressed', String(isOpen));
    }

    #finish(board) {
        if (board && board.cells.every((value) => value === 0)) {
            showError(byId('setup-error'), new Error('The board is empty: a game needs a tile to move.'));
            return;
        }
        this.#board = null;
        this.#view.removeButtons();
        this.#setOpen(false);
        this.#onDone(board);
    }

    #drawBrushes(board) {
        const values = ['+', 0, ...Array.from({length: Math.min(MAX_VALUE, maxValue(board))}, (_, i) => i + 1)];
        if (!values.includes(this.#brush)) this.#brush = '+';
        byId('brushes').replaceChildren(
            ...values.map((value) => {
                const input = element('input', {type: 'radio', name: 'brush', value, checked: value === this.#brush});
                input.addEventListener('change', () => {
                    this.#brush = value;
                });
                const text = value === '+' ? 'next' : value === 0 ? 'empty' : String(face(value));
                return element('label', {'data-value': value}, input, element('span', {}, text));
            }),
        );
    }

    #readText() {
        try {
            const board = readAnyBoard(byId('setup-text').value, this.#board.rows, this.#board.cols);
            showError(byId('setup-error'), null);
            this.#change(board, false);
            return true;
        } catch (error) {
            showError(byId('setup-error'), error);
            return false;
        }
    }

    #change(board, writeText) {
        const isNewSize = !this.#board || board.rows !== this.#board.rows || board.cols !== this.#board.cols;
        this.#board = board;
        this.#view.show(board);
        if (isNewSize) {
            this.#drawBrushes(board);
            this.#addButtons();
        }
        this.#buttons.forEach((button, cell) => button.setAttribute('aria-label', this.#label(cell)));
        if (writeText) {
            byId('setup-text').value = toDigits(board);
            showError(byId('setup-error'), null);
        }
    }

    #label(cell) {
        const {cols, cells} = this.#board;
        return `Row ${Math.floor(cell / cols) + 1}, column ${(cell % cols) + 1}: ${face(cells[cell]) || 'empty'}`;
    }

    #addButtons() {
        this.#view.removeButtons();
        this.#buttons = this.#view.addButtons((cell) => this.#label(cell));
        this.#buttons.forEach((button, cell) => {
            button.addEventListener('click', (event) => this.#click(cell, event.shiftKey));
            button.addEventListener('contextmenu', (event) => {
                event.preventDefault();
                this.#set(cell, this.#board.cells[cell] - 1);
            });
            button.addEventListener('keydown', (event) => this.#key(cell, event));
        });
    }

    #set(cell, value) {
        const n = maxValue(this.#board) + 1;
        this.#change(withTile(this.#board, cell, (value + n) % n), true);
    }

    #click(cell, lower) {
        const now = this.#board.cells[cell];
        if (lower || this.#brush === '+') this.#set(cell, now + (lower ? -1 : 1));
        else this.#set(cell, now === this.#brush ? 0 : this.#brush);
    }

    #key(cell, event) {
        const {rows, cols} = this.#board;
        const walk = {ArrowUp: -cols, ArrowDown: cols, ArrowLeft: -1, ArrowRight: 1}[event.key];
        const digit = event.key.length === 1 ? '0123456789abcdefgh'.indexOf(event.key.toLowerCase()) : -1;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (walk) {
            const to = Math.min(rows * cols - 1, Math.max(0, cell + walk));
            this.#buttons[cell].tabIndex = -1;
            this.#buttons[to].tabIndex = 0;
            this.#buttons[to].focus();
        } else if (digit >= 0 && digit <= maxValue(this.#board)) {
            this.#set(cell, digit);
        } else if (event.key === 'Backspace' || event.key === 'Delete') {
            this.#set(cell, 0);
        } else if (event.key === '+' || event.key === '-') {
            this.#set(cell, this.#board.cells[cell] + (event.key === '+' ? 1 : -1));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
