// The rules of the game, for boards of 1 to 6 rows and columns and at most 16 cells, and the two ways to write a board.
//
// A board is {rows, cols, cells}; a cell is 0 (empty) or v for the tile 2^v, up to 17 (131072). Boards are never
// changed in place. tests/browser/rules.test.js compares every row of tests/vectors with moveBoard().

export const DIRECTIONS = ['up', 'right', 'down', 'left'];
export const MAX_VALUE = 17;
const DIGITS = '0123456789abcdefgh';

export const face = (value) => (value === 0 ? 0 : 2 ** value);
export const largestTile = (board) => face(Math.max(...board.cells));
export const sizeName = (board) => `${board.rows}x${board.cols}`;
export const emptyBoard = (rows, cols) => ({rows, cols, cells: new Array(rows * cols).fill(0)});
export const isSize = (rows, cols) => rows >= 1 && rows <= 6 && cols >= 1 && cols <= 6 && rows * cols <= 16;

// The largest tile that the rules can reach: n cells filled with 4s in order end in 2^(n+1).
export const maxValue = (board) => Math.min(MAX_VALUE, board.rows * board.cols + 1);

export const toDigits = (board) => board.cells.map((value) => DIGITS[value]).join('');
export const toNumbers = (board) =>
    Array.from({length: board.rows}, (_, row) =>
        board.cells
            .slice(row * board.cols, (row + 1) * board.cols)
            .map(face)
            .join(' '),
    ).join(' / ');

// The cells of line `index` in the order in which the move looks at them: the wall first.
function lineCells(board, direction, index) {
    const {rows, cols} = board;
    switch (direction) {
        case 'up':
            return Array.from({length: rows}, (_, i) => i * cols + index);
        case 'down':
            return Array.from({length: rows}, (_, i) => (rows - 1 - i) * cols + index);
        case 'left':
            return Array.from({length: cols}, (_, i) => index * cols + i);
        case 'right':
            return Array.from({length: cols}, (_, i) => index * cols + cols - 1 - i);
        default:
            throw new Error(`no direction '${direction}'`);
    }
}

// A move: {board, reward, legal, slides}. A slide is {from, to, value, merges}: where a tile came from and went to, and
// whether it is one of two that became one there; the view moves its elements by them.
export function moveBoard(board, direction) {
    const cells = new Array(board.cells.length).fill(0);
    const slides = [];
    let reward = 0;
    const lines = direction === 'up' || direction === 'down' ? board.cols : board.rows;
    for (let index = 0; index < lines; index++) {
        const line = lineCells(board, direction, index);
        let filled = 0;
        let last = null; // the slide of the tile that may still merge
        for (const from of line) {
            const value = board.cells[from];
            if (value === 0) continue;
            if (last && last.value === value && value < MAX_VALUE) {
                cells[last.to] = value + 1;
                reward += face(value + 1);
                last.merges = true;
                slides.push({from, to: last.to, value, merges: true});
                last = null;
            } else {
                last = {from, to: line[filled++], value, merges: false};
                cells[last.to] = value;
                slides.push(last);
            }
        }
    }
    const legal = cells.some((value, cell) => value !== board.cells[cell]);
    return {board: {...board, cells}, reward, legal, slides};
}

export const legalMoves = (board) => DIRECTIONS.filter((direction) => moveBoard(board, direction).legal);

export const withTile = (board, cell, value) => ({
    ...board,
    cells: board.cells.map((old, i) => (i === cell ? value : old)),
});

// A new tile: any empty cell with equal chance, a 2 nine times of ten, else a 4. `random` gives numbers in [0, 1).
export function drawSpawn(board, random = Math.random, fourChance = 0.1) {
    const empty = board.cells.flatMap((value, cell) => (value === 0 ? [cell] : []));
    return {cell: empty[Math.floor(random() * empty.length)], value: random() < 1 - fourChance ? 1 : 2};
}

// Reads a board as the program does (docs/FORMATS.md, "Board notation"): digits, or numbers with blanks, commas or
// slashes. The size is the given one if the cells fit it, else the only square or the shape that the slashes show.
// Throws an Error with a sentence for people.
export function parseBoard(text, rows, cols) {
    const trimmed = text.trim();
    if (trimmed === '') throw new Error('Nothing to read: paste digits such as 1230…, or numbers such as 2 4 0 8 / …');
    const values = /[\s,/]/.test(trimmed) ? parseNumbers(trimmed) : parseDigits(trimmed);
    const size = sizeOf(values.cells.length, values.shape, rows, cols);
    const board = {...size, cells: values.cells};
    const largest = maxValue(board);
    const tooLarge = board.cells.find((value) => value > largest);
    if (tooLarge !== undefined)
        throw new Error(
            `${face(tooLarge)} cannot be on a ${sizeName(board)} board: its largest tile is ${face(largest)}.`,
        );
    return board;
}

function parseDigits(text) {
    const cells = Array.from(text.toLowerCase(), (digit) => {
        const value = DIGITS.indexOf(digit);
        if (value < 0)
            throw new Error(
                `'${digit}' is no tile: 0 is empty, 1 is 2, 2 is 4, … f is 32768, g and h are 65536 and 131072.`,
            );
        return value;
    });
    return {cells, shape: null};
}

function parseNumbers(text) {
    const lines = text.split('/').map((line) => line.split(/[\s,]+/).filter((word) => word !== ''));
    const cells = lines.flat().map((word) => {
        const value = word === '.' || word === '0' ? 0 : Math.log2(Number(word));
        if (!/^(\.|0|[1-9][0-9]{0,5})$/.test(word) || !Number.isInteger(value) || value > MAX_VALUE || word === '1')
            throw new Error(`'${word}' is no tile: 0 or a dot for an empty cell, else 2, 4, 8 … 131072.`);
        return value;
    });
    if (lines.length > 1 && lines.some((line) => line.length !== lines[0].length))
        throw new Error(
            `The rows have ${lines.map((line) => line.length).join(', ')} tiles; they must be equally long.`,
        );
    return {cells, shape: lines.length > 1 ? {rows: lines.length, cols: lines[0].length} : null};
}

function sizeOf(n, shape, rows, cols) {
    if (shape && isSize(shape.rows, shape.cols)) return shape;
    if (!shape && n === rows * cols) return {rows, cols};
    const side = Math.sqrt(n);
    if (!shape && Number.isInteger(side) && isSize(side, side)) return {rows: side, cols: side};
    throw new Error(`${n} cell${n === 1 ? '' : 's'}: a ${rows}x${cols} board has ${rows * cols}.`);
}
