// Boards as people and other programs write them: [[2, 4], ..], rows with any separators, frames drawn around cells,
// blanks, dots or dashes for empty cells, exponents in place of tiles, spreadsheets, NumPy's numbers, the saved state of
// the original game, links to this page. What is written as this program writes it is read by rules.js.

import {parseBoard} from './rules.js';

const EMPTY_WORDS = /^(|0|\.+|-+|_+|\*+|·|null|none|nil|undefined|empty|x|""|'')$/i;
const MAX_EXPONENT = 17;

// Lines that are only drawn: +----+, =====, ┌──┬──┐.
const isFrame = (line) => /^[\s+=\-_─━┄═│┃║|╔╗╚╝╠╣╦╩╬┌┐└┘├┤┬┴┼:.*]*$/.test(line) && /[+=\-_─━═]{2,}/.test(line);

// The cells of one row, as words; an empty cell is ''. Bars, commas, semicolons and tabs keep empty cells, blanks do
// not.
function wordsOf(line) {
    const plain = line.replace(/[│┃║]/g, '|').trim();
    const separator = plain.includes('|') ? '|' : /[,;\t]/.test(plain) ? /[,;\t]/ : null;
    if (separator === null) return plain.split(/\s+/).filter((word) => word !== '');
    let words = plain.split(separator).map((word) => word.trim());
    if (separator === '|') {
        if (plain.startsWith('|')) words = words.slice(1);
        if (plain.endsWith('|')) words = words.slice(0, -1);
    } else if (words.at(-1) === '') {
        words = words.slice(0, -1); // "2, 4, 8,"
    }
    return words;
}

// The rows of a text, each a list of words.
function rowsOf(text) {
    const bracketed = [...text.matchAll(/[[({]([^[\](){}]*)[\])}]/g)].map((match) => match[1]);
    const rows = bracketed.length > 0 ? bracketed : text.split(/[\n/]/);
    return rows
        .filter((line) => line.trim() !== '' && !isFrame(line))
        .map((line) => wordsOf(line.replace(/["']/g, '')).map((word) => (EMPTY_WORDS.test(word) ? '0' : word)))
        .filter((words) => words.length > 0);
}

// Cells of a spreadsheet, of which the empty ones at the end of a row may be missing.
function tabbedRows(text) {
    const rows = text.replace(/^\n+|\n+$/g, '').split('\n').map((line) => line.split('\t').map((word) => word.trim() || '0'));
    const width = Math.max(...rows.map((words) => words.length));
    return rows.map((words) => [...words, ...new Array(width - words.length).fill('0')]);
}

// The state that the original game keeps in the browser, by columns: {grid: {cells: [[{value: 2}, null, ..], ..]}}.
function savedRows(text) {
    if (!text.startsWith('{')) return null;
    try {
        const {cells} = JSON.parse(text).grid;
        return cells[0].map((_, y) => cells.map((column) => String(column[y]?.value ?? 0)));
    } catch {
        return null;
    }
}

// A line of words beside the board: "Score: 240".
const isCaption = (words) => words.some((word) => /[a-z]{2}/i.test(word) && !EMPTY_WORDS.test(word));

function boardRows(text) {
    const saved = savedRows(text.trim());
    if (saved) return saved;
    if (/^[\d \t\n.]+$/.test(text) && text.includes('\t')) return tabbedRows(text);
    const rows = rowsOf(text);
    const plain = rows.filter((words) => !isCaption(words));
    return (plain.length > 1 ? plain : rows).map((words) => words.map((word) => word.replace(/^(\d+)\.0*$/, '$1')));
}

// Rows of digits without separators: 1230, 0010, ..
const areDigits = (rows) =>
    rows.length > 1 &&
    rows.every((words) => words.length === 1 && /^[0-9a-h]{2,6}$/i.test(words[0])) &&
    rows.every((words) => words[0].length === rows[0][0].length);

// Small numbers, 1 among them, which is no tile: the exponents of tiles.
const areExponents = (words) =>
    words.includes('1') && words.every((word) => /^\d{1,2}$/.test(word) && Number(word) <= MAX_EXPONENT);

// Reads a board; throws an Error with a sentence for people.
export function readAnyBoard(text, rows, cols) {
    const link = /#\/play\/([1-6])x([1-6])\/([0-9a-h]+)$/.exec(text.trim());
    if (link) return parseBoard(link[3], Number(link[1]), Number(link[2]));
    const trimmed = text.trim().replace(/^0x(?=[0-9a-f]+$)/i, '');
    if (trimmed === '' || /^[0-9a-h]+$/i.test(trimmed)) return parseBoard(trimmed, rows, cols);
    const read = boardRows(text);
    if (areDigits(read)) return parseBoard(read.map((words) => words[0]).join(''), read.length, read[0][0].length);
    const words = read.flat();
    const faces = areExponents(words)
        ? read.map((row) => row.map((word) => (word === '0' ? '0' : String(2 ** Number(word)))))
        : read;
    const isOneRow = faces.length === 1;
    return parseBoard(faces.map((row) => row.join(' ')).join(isOneRow ? '' : ' / ') + (isOneRow ? ' ' : ''), rows, cols);
}
