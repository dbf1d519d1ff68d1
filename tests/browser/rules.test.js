// The page's rules against the vectors that the reference implementation wrote, and the page's notation and games.
// No browser: the modules under test touch no document.

import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';

import {Game} from '../../src/web/page/game.js';
import {legalMoves, moveBoard, parseBoard, toDigits, toNumbers} from '../../src/web/page/rules.js';

const vectors = new URL('../vectors/', import.meta.url);

for (const file of readdirSync(vectors).filter((name) => name.endsWith('.csv'))) {
    test(`rules agree with ${file}`, () => {
        const [rows, cols] = file.match(/\d/g).map(Number);
        const lines = readFileSync(new URL(file, vectors), 'utf8').trim().split('\n').slice(1);
        assert.ok(lines.length > 1000);
        for (const line of lines) {
            const [digits, direction, afterstate, reward, legal] = line.split(',');
            const board = parseBoard(digits, rows, cols);
            const moved = moveBoard(board, direction);
            assert.deepEqual(
                [toDigits(moved.board), moved.reward, moved.legal],
                [afterstate, Number(reward), legal === '1'],
                line,
            );
            // The slides tell the same story: every tile goes somewhere, and pairs make the next value.
            const cells = new Array(board.cells.length).fill(0);
            for (const {to, value, merges} of moved.slides) cells[to] = merges ? value + 1 : value;
            assert.deepEqual(cells, moved.board.cells, line);
            assert.equal(moved.slides.length, board.cells.filter((value) => value > 0).length, line);
        }
    });
}

test('boards are read as the program reads them', () => {
    assert.equal(
        toDigits(parseBoard('2 4 0 8 / 0 0 16 2 / . . . . / 131072 0 0 65536', 3, 3)),
        '12030041' + '0000h00g',
    );
    assert.equal(toNumbers(parseBoard('120701', 2, 3)), '2 4 0 / 128 0 2');
    assert.equal(parseBoard('120701', 3, 2).rows, 3);
    assert.equal(parseBoard('89A000000', 4, 4).rows, 3, 'another size if the cells are a square');
    assert.equal(toDigits(parseBoard('  2,4,0,\n8 0 0', 2, 3)), '120300');
    assert.equal(parseBoard('700000', 2, 3).cells[0], 7, '128 is the largest tile of 2x3');
    for (const [text, message] of [
        ['', /Nothing to read/],
        ['12x0', /'x' is no tile/],
        ['2 3 0 0', /'3' is no tile/],
        ['1 2 4 8', /'1' is no tile/],
        ['2 4 / 8', /equally long/],
        ['12345', /5 cells/],
        ['f000', /largest tile is 32/],
        ['262144 0 0 0', /no tile/],
        ['2 4 -8 0', /'-8'/],
    ])
        assert.throws(() => parseBoard(text, 2, 2), message, text);
});

test('a game is kept, replayed and taken back', () => {
    let state = 1;
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
    const game = Game.begin(3, 3, random);
    assert.equal(game.board.cells.filter((value) => value > 0).length, 2);
    while (!game.isOver) game.play(legalMoves(game.board)[0], random);
    assert.ok(game.moves > 10);
    const copy = Game.fromJSON(JSON.parse(JSON.stringify(game)));
    assert.deepEqual([toDigits(copy.board), copy.score, copy.moves], [toDigits(game.board), game.score, game.moves]);
    while (copy.undo()) continue;
    assert.deepEqual([toDigits(copy.board), copy.score], [toDigits(game.start), 0]);
    const json = game.toJSON();
    assert.throws(() => Game.fromJSON({...json, steps: `${json.steps}00`}), /against the rules/);
    assert.throws(() => Game.fromJSON({rows: 3}), /not a saved game/);
});
