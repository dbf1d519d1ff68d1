// What the page says about moves, and the boards it reads: functions without a browser.

import assert from 'node:assert/strict';
import {test} from 'node:test';

import {axisTexts, duration, recipeNumber, shortNumber} from '../../src/web/page/dom.js';
import {Game} from '../../src/web/page/game.js';
import {readAnyBoard} from '../../src/web/page/paste.js';
import {lossGrade, lossShare, percent, reasonsAgainst, secondBest} from '../../src/web/page/reasons.js';
import {parseBoard, toDigits} from '../../src/web/page/rules.js';

const board = (digits) => parseBoard(digits, 4, 4);
const read = (text, rows = 4, cols = 4) => {
    const made = readAnyBoard(text, rows, cols);
    return `${made.rows}x${made.cols} ${toDigits(made)}`;
};

test('numbers as recipes have them, and durations', () => {
    const texts = ['1e8', '100M', '1_000_000', '2.5k', '3G', '7'];
    assert.deepEqual(texts.map(recipeNumber), [1e8, 1e8, 1e6, 2500, 3e9, 7]);
    assert.deepEqual([0, 0.4, 5, 38.2, 999, 1000, 2127].map(duration), ['below 0.1 ms', '0.4 ms', '5 ms', '38 ms', '999 ms', '1 s', '2.1 s']); // prettier-ignore
});

test('the numbers of an axis have one unit', () => {
    assert.deepEqual(axisTexts([0, 500e3, 1e6, 1.5e6]), ['0', '0.5M', '1M', '1.5M']);
    assert.deepEqual(axisTexts([0, 4000, 8000, 12000]), ['0', '4,000', '8,000', '12,000']);
    assert.deepEqual(axisTexts([0, 50e3, 100e3]), ['0', '50k', '100k']);
    assert.deepEqual(axisTexts([0, 0.25, 0.5, 0.75, 1]), ['0', '0.25', '0.5', '0.75', '1']);
    assert.deepEqual(axisTexts([1000000, 1000001]), ['1M', '1.000001M']);
});

test('losses are shares of what is still to come', () => {
    assert.equal(lossShare(4, 400), 0.01);
    assert.equal(lossShare(1e-12, 400), 0);
    assert.equal(lossShare(5, 3), 1);
    assert.equal(lossGrade(lossShare(4, 290749)), 'slight');
    assert.equal(lossGrade(0.001), 'mistake');
    assert.equal(lossGrade(0.01), 'blunder');
    assert.equal(percent(lossShare(4, 290749)), 'less than 0.01%');
    assert.equal(percent(0.147), '14.7%');
    assert.equal(percent(0), '0%');
});

test('numbers of axes and tables', () => {
    const shown = [-0, 0.25, 697.84, 1805, 9999, 12345, 100000, 2.5e6, -1500].map(shortNumber);
    assert.deepEqual(shown, ['0', '0.25', '697.8', '1,805', '9,999', '12.35k', '100k', '2.5M', '-1,500']);
});

test('why a move is worse', () => {
    // The 2048s merge at the edge or inside the board.
    assert.deepEqual(reasonsAgainst(board('1230234557bb9a10'), 'right', 'left'), [
        'puts the 4096 inside the board, not at an edge',
    ]);
    // The largest tile leaves its corner, and its neighbours in the chain.
    const [corner] = reasonsAgainst(board('a987000000000000'), 'down', 'right'); // nothing moves right: no reason
    assert.equal(corner, undefined);
    assert.deepEqual(reasonsAgainst(board('a900100010000000'), 'up', 'right'), [
        'takes the 1024 out of its corner',
        'does not make the 4',
    ]);
    assert.deepEqual(reasonsAgainst(board('6000500000000001'), 'left', 'right'), [], 'it slides to another corner');
    assert.deepEqual(reasonsAgainst(board('a000010065000000'), 'left', 'down'), ['takes the 1024 out of its corner']);
    assert.deepEqual(reasonsAgainst(board('a100010000000000'), 'up', 'left'), ['does not make the 4']);
    assert.deepEqual(reasonsAgainst(board('b000650000000000'), 'left', 'left'), []);
    // A pair that stays together one way is parted the other way.
    assert.deepEqual(reasonsAgainst(board('b006000500000000'), 'left', 'up'), []);
    assert.deepEqual(reasonsAgainst(board('b600050000000000'), 'up', 'left'), ['parts the 64 from the 32']);
    assert.deepEqual(reasonsAgainst(board('b611050000000000'), 'left', 'up'), ['does not make the 4']);
});

test('the second-best move in a sentence', () => {
    const say = (values, best) => secondBest(board('b600050000000000'), values, best, String);
    assert.equal(say({up: 5, right: null, down: null, left: null}, 'up'), 'Only up is legal.');
    assert.equal(say({up: 5, right: null, down: 3, left: 5}, 'up'), 'Second best is left: as good as up.');
    assert.equal(
        say({up: 1000, right: 100, down: 200, left: 980}, 'up'),
        'Second best is left. It loses 20 points (2%): it parts the 64 from the 32.',
    );
});

test('boards of other programs', () => {
    const same = '4x4 123000000000000b';
    for (const text of [
        '123000000000000b',
        '0x123000000000000b',
        '2 4 8 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2048',
        '[[2,4,8,0],[0,0,0,0],[0,0,0,0],[0,0,0,2048]]',
        '[[2, 4, 8, null], [null, null, null, null], [null, null, null, null], [null, null, null, 2048]]',
        '{{2, 4, 8, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 2048}}',
        '((2, 4, 8, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 2048))',
        'array([[   2,    4,    8,    0],\n       [   0,    0,    0,    0],\n       [   0,    0,    0,    0],\n       [   0,    0,    0, 2048]])',
        '2\t4\t8\t0\n0\t0\t0\t0\n0\t0\t0\t0\n0\t0\t0\t2048',
        '2,4,8,0\n,,,0\n,,,0\n,,,2048',
        '2;4;8;0\n0;0;0;0\n0;0;0;0\n0;0;0;2048',
        '   2    4    8    .\n   .    .    .    .\n   .    .    .    .\n   .    .    . 2048',
        '2 4 8 -\n- - - -\n- - - -\n- - - 2048',
        '+----+----+----+----+\n|  2 |  4 |  8 |    |\n+----+----+----+----+\n|    |    |    |    |\n+----+----+----+----+\n|    |    |    |    |\n+----+----+----+----+\n|    |    |    |2048|\n+----+----+----+----+',
        '┌────┬────┬────┬────┐\n│  2 │  4 │  8 │    │\n├────┼────┼────┼────┤\n│    │    │    │    │\n│    │    │    │    │\n│    │    │    │2048│\n└────┴────┴────┴────┘',
        '1230\n0000\n0000\n000b',
        '1 2 3 0\n0 0 0 0\n0 0 0 0\n0 0 0 11',
        '2 4 8 0 0 0 0 0 0 0 0 0 0 0 0 2048',
    ])
        assert.equal(read(text), same, text);
    assert.equal(read('[[2,4],[8,0],[0,2]]', 4, 4), '3x2 123001');
    assert.equal(read('2 4 8\n0 0 0\n0 0 2', 4, 4), '3x3 123000001');
    assert.equal(read('2\t4\t8\t\n\t\t\t\n\t\t2\t\n\t\t\t'), '4x4 1230000000100000');
    assert.equal(read('[[2. 4. 8. 0.]\n [0. 0. 0. 0.]\n [0. 0. 2. 0.]\n [0. 0. 0. 0.]]'), '4x4 1230000000100000');
    assert.equal(read('Score: 240\n2 4 8 0\n0 0 0 0\n0 0 2 0\n0 0 0 0\nyour move?'), '4x4 1230000000100000');
    assert.equal(read('http://127.0.0.1:2048/#/play/3x3/123000001', 4, 4), '3x3 123000001');
    const saved = {grid: {size: 4, cells: [[{position: {x: 0, y: 0}, value: 2}, null, {value: 16}, null], [{value: 4}, null, null, null], [null, null, null, null], [null, null, null, {value: 8}]]}, score: 0}; // prettier-ignore
    assert.equal(read(JSON.stringify(saved)), '4x4 1200000040000003', 'the original game writes columns');
    assert.throws(() => read('2 4 / 8 3'), /'3' is no tile/);
    assert.throws(() => read('{"grid": 5}'), /is no tile/);
    assert.throws(() => read('hello world'), /is no tile/);
    assert.throws(() => read('2 4 8\n2 4\n0 0 0'), /equally long/);
    assert.throws(() => read(''), /Nothing to read/);
});

test('redo plays the same moves with the same tiles', () => {
    const game = Game.begin(4, 4);
    const boards = [toDigits(game.board)];
    while (game.moves < 20) if (['left', 'down', 'right', 'up'].some((one) => game.play(one))) boards.push(toDigits(game.board));
    const score = game.score;
    for (let i = 19; i >= 5; i--) {
        assert.ok(game.undo());
        assert.equal(toDigits(game.board), boards[i]);
    }
    for (let i = 6; i <= 20; i++) {
        assert.ok(game.redo());
        assert.equal(toDigits(game.board), boards[i]);
    }
    assert.equal(game.redo(), null);
    assert.equal(game.score, score);
    game.undo();
    ['left', 'down', 'right', 'up'].some((one) => game.play(one));
    assert.equal(game.future.length, 0, 'a new move forgets what was taken back');
});
