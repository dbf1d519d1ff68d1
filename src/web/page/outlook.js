// What to expect from a board: how likely each tile is, measured by games that the program plays on, and how the game
// probably continues. Asked for only while the panel is open, and when the board has rested a little.

import {ApiError, Latest, ask, chosenJudge, offered, server, sleep, stream} from './api.js';
import {BoardView} from './board_view.js';
import {byId, element, number, plural, store} from './dom.js';
import {percent} from './reasons.js';
import {face, largestTile, maxValue, parseBoard, toDigits} from './rules.js';

const REST_MS = 400,
    GAMES = 200,
    MOST_TILES = 6;
const ARROWS = {up: '↑', right: '→', down: '↓', left: '←'};

// The tiles worth showing: six above the largest of the board, up to 65536 on 4x4 (2048 .. 65536 at the start).
export function tilesToShow(board) {
    const largest = Math.log2(largestTile(board) || 1);
    const last = Math.max(Math.min(maxValue(board), 16), Math.min(largest + 1, maxValue(board)));
    const tiles = [];
    for (let value = last; value > largest && tiles.length < MOST_TILES; value--) tiles.unshift(face(value));
    return tiles;
}

export class Outlook {
    #latest = new Latest();
    #view = new BoardView(byId('line-board'));
    #board = null;
    #effort;
    #line = null;

    // `effort()` gives the depth or time of the hints, by which the line is searched; `onOpen` is called when the panel
    // is opened.
    constructor(effort, onOpen) {
        this.#effort = effort;
        const panel = byId('outlook');
        panel.open = store.get('outlook', false);
        panel.addEventListener('toggle', () => {
            store.set('outlook', panel.open);
            if (panel.open) onOpen();
            else this.stop();
        });
    }

    stop() {
        this.#latest.abort();
        this.#board = null;
    }

    clear() {
        this.stop();
        byId('chances').replaceChildren();
        byId('outlook-note').textContent = '';
        byId('line').hidden = true;
    }

    // Measures a board; one that is being measured goes on.
    async update(board) {
        const digits = toDigits(board);
        if (!byId('outlook').open || digits === this.#board || server.gone || !offered(board)) return;
        this.#board = digits;
        byId('chances').classList.add('stale');
        byId('line').classList.add('stale');
        const question = {board: digits, rows: board.rows, cols: board.cols, judge: chosenJudge(board)};
        try {
            await this.#latest.run(async (signal) => {
                await sleep(REST_MS, signal);
                this.#showLine(await ask('/api/line', {...question, ...this.#effort()}, signal), board);
                const seed = Math.floor(Math.random() * 2 ** 48);
                await stream('/api/outlook', {...question, games: GAMES, seed}, {signal}, (line) => {
                    if (!signal.aborted && line.games) this.#showChances(line, board, digits);
                });
            });
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.#board = null;
            byId('outlook-note').textContent = error.status === 0 ? '' : error.message;
        }
    }

    #showChances({games, points, points_ci95: spread, tiles, end}, board, digits) {
        const list = byId('chances');
        list.classList.remove('stale');
        list.dataset.board = digits;
        list.dataset.games = games;
        list.replaceChildren(...tilesToShow(board).map((tile) => chanceRow(tile, tiles[tile])));
        const mean = spread === null ? number(points) : `${number(points)} ± ${number(spread)}`;
        byId('outlook-note').textContent =
            `By ${plural(games, 'game')} that the program played on from here at 1 ply${end ? '' : ', so far'}: ` +
            `${mean} points more. Intervals are 95%.`;
    }

    #showLine({line, last}, board) {
        const box = byId('line');
        box.hidden = line.length === 0;
        box.classList.remove('stale');
        if (line.length === 0) return;
        const {rows, cols} = board;
        const boards = [...line.slice(1).map((move) => move.board), last].map((text) => parseBoard(text, rows, cols));
        const buttons = line.map((move, i) => {
            const button = element(
                'button',
                {
                    type: 'button',
                    'aria-label': `${move.direction}, then a ${move.spawn.tile}: show the board after move ${i + 1}`,
                    title: `${move.direction}${move.reward ? `, ${move.reward} points` : ''}`,
                },
                ARROWS[move.direction],
            );
            button.addEventListener('click', () => this.#showAt(i, boards));
            return button;
        });
        byId('line-moves').replaceChildren(...buttons);
        this.#line = line;
        this.#showAt(line.length - 1, boards);
    }

    #showAt(i, boards) {
        this.#view.show(boards[i]);
        [...byId('line-moves').children].forEach((button, j) => button.setAttribute('aria-pressed', String(i === j)));
        const points = this.#line.slice(0, i + 1).reduce((sum, move) => sum + move.reward, 0);
        byId('line-note').textContent = `After ${plural(i + 1, 'move')} with typical new tiles: ${plural(points, 'point')} more.`;
    }
}

// The sizes of the bars are set by script: the page's policy forbids style attributes.
function chanceRow(tile, [rate, low, high]) {
    const fill = element('span', {class: 'fill'}),
        interval = element('span', {class: 'interval'});
    fill.style.setProperty('--share', rate);
    interval.style.setProperty('--low', low);
    interval.style.setProperty('--high', high);
    return element(
        'li',
        {'data-tile': tile, 'data-rate': rate},
        element('span', {class: 'name'}, String(tile)),
        element('span', {class: 'track', 'aria-hidden': 'true'}, fill, interval),
        element('span', {class: 'value'}, percent(rate)),
        element('span', {class: 'behind'}, `${percentEnd(low)}–${percentEnd(high)}%`),
    );
}

const percentEnd = (share) => (100 * share).toLocaleString('en-US', {maximumFractionDigits: 1});
