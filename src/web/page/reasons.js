// Why one move is worse than another, in words: what it does to the tiles at once, seen on the two boards after the
// moves. A search sees further than that; where nothing differs at once, the sentence says so.

import {DIRECTIONS, face, moveBoard} from './rules.js';

const MOST_REASONS = 2;
const SMALLEST_PARTED = 3; // tiles below 8 come and go

// How much smaller than the best a value is, as a share of the best: what a loss means.
export const lossShare = (loss, best) => (!(loss > 1e-9) ? 0 : best > loss ? loss / best : 1);

// 'slight' below a thousandth, 'mistake' below a hundredth of what is still to come, else 'blunder' (move_quality.h).
export const lossGrade = (share) => (share >= 0.01 ? 'blunder' : share >= 0.001 ? 'mistake' : 'slight');

export const percent = (share) =>
    share > 0 && share < 0.0001
        ? 'less than 0.01%'
        : `${(100 * share).toLocaleString('en-US', {maximumFractionDigits: share < 0.01 ? 2 : 1})}%`;

const areNeighbours = (a, b, cols) =>
    (Math.abs(a - b) === 1 && Math.floor(a / cols) === Math.floor(b / cols)) || Math.abs(a - b) === cols;

// How safe a place is: 2 a corner, 1 an edge, 0 inside.
function safety(cell, {rows, cols}) {
    const row = Math.floor(cell / cols),
        col = cell % cols;
    return (row === 0 || row === rows - 1) + (col === 0 || col === cols - 1);
}
const PLACES = ['inside the board', 'at an edge', 'in a corner'];

// The largest tile of a board and its safest place.
function largestAt(board) {
    const value = Math.max(...board.cells);
    const places = board.cells.flatMap((other, cell) => (other === value ? [safety(cell, board)] : []));
    return {value, place: Math.max(...places)};
}

// Where each tile of the board is after a move: cell -> cell.
const placesAfter = (moved) => new Map(moved.slides.map(({from, to}) => [from, to]));

// Tiles side by side that are equal or follow one another, the largest first.
function chains(board) {
    const pairs = [];
    board.cells.forEach((value, a) => {
        for (const b of [a + 1, a + board.cols]) {
            const other = board.cells[b];
            if (b < board.cells.length && value && other && areNeighbours(a, b, board.cols))
                if (Math.abs(value - other) <= 1 && Math.max(value, other) >= SMALLEST_PARTED) pairs.push([a, b]);
        }
    });
    const size = ([a, b]) => 100 * Math.max(board.cells[a], board.cells[b]) + Math.min(board.cells[a], board.cells[b]);
    return pairs.sort((left, right) => size(right) - size(left));
}

const areTogether = ([a, b], places, cols) =>
    places.get(a) === places.get(b) || areNeighbours(places.get(a), places.get(b), cols);

const emptyCells = (board) => board.cells.filter((value) => value === 0).length;

const merged = (moved) => moved.slides.filter(({merges}) => merges).map(({value}) => value + 1);

// What `other` does worse than `best` on this board, as parts of a sentence that begins with "it"; perhaps none.
export function reasonsAgainst(board, best, other) {
    const good = moveBoard(board, best),
        bad = moveBoard(board, other);
    const goodPlaces = placesAfter(good),
        badPlaces = placesAfter(bad);
    const reasons = [];

    const before = largestAt(board),
        kept = largestAt(good.board),
        put = largestAt(bad.board);
    if (put.place < kept.place && put.value === kept.value)
        reasons.push(
            before.place === 2 && put.value === before.value
                ? `takes the ${face(put.value)} out of its corner`
                : `puts the ${face(put.value)} ${PLACES[put.place]}, not ${PLACES[kept.place]}`,
        );

    const parted = chains(board).find(
        (pair) => areTogether(pair, goodPlaces, board.cols) && !areTogether(pair, badPlaces, board.cols),
    );
    if (parted) {
        const [low, high] = parted.map((cell) => board.cells[cell]).sort((a, b) => a - b);
        reasons.push(
            low === high ? `parts the two ${face(high)}s` : `parts the ${face(high)} from the ${face(low)}`,
        );
    }

    const missed = merged(good).filter((value) => !merged(bad).includes(value));
    if (missed.length > 0) reasons.push(`does not make the ${face(Math.max(...missed))}`);

    const fewer = emptyCells(good.board) - emptyCells(bad.board);
    if (fewer > 0 && missed.length === 0) reasons.push(`leaves ${fewer} empty cell${fewer === 1 ? '' : 's'} fewer`);
    return reasons.slice(0, MOST_REASONS);
}

// The second-best move, what it loses and why: one sentence for people. `values` by direction, null where illegal.
export function secondBest(board, values, best, number, unit = ' points') {
    const others = DIRECTIONS.filter((direction) => direction !== best && values[direction] !== null);
    if (others.length === 0) return `Only ${best} is legal.`;
    const second = others.reduce((a, b) => (values[b] > values[a] ? b : a));
    const loss = values[best] - values[second];
    if (!(loss > 1e-9)) return `Second best is ${second}: as good as ${best}.`;
    const share = percent(lossShare(loss, values[best]));
    const reasons = reasonsAgainst(board, best, second);
    const why =
        reasons.length > 0 ? `it ${reasons.join(' and ')}` : 'nothing differs at once, the difference comes later';
    return `Second best is ${second}. It loses ${number(loss)}${unit} (${share}): ${why}.`;
}
