// What a person does on the page, done by keys and clicks, and compared with what the program says on the command line.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';

import {legalMoves, moveBoard, parseBoard, toDigits} from '../../src/web/page/rules.js';
import {
    WIDE,
    count,
    isSite,
    launch,
    makeWorld,
    openPage,
    program,
    run,
    runJson,
    shownBars,
    shownBest,
    shownBoard,
    startServer,
    text,
    trainArguments,
} from './harness.js';

const KEYS = {up: ['ArrowUp', 'w'], right: ['ArrowRight', 'd'], down: ['ArrowDown', 's'], left: ['ArrowLeft', 'a']};
let world, server, browser;
const pages = [];

before(async () => {
    world = makeWorld();
    server = await startServer(world);
    browser = await launch();
});
after(async () => {
    await browser?.close();
    if (server) assert.equal(await server.stop(), 0, 'the server stops cleanly');
    world?.remove();
});
afterEach(async () => {
    for (const page of pages.splice(0)) {
        assert.deepEqual(page.errors, [], 'no error on the console');
        await page.context().close();
    }
});

async function open(hash = '', options = undefined) {
    const page = await openPage(browser, server.address + hash, options);
    pages.push(page);
    return page;
}

// Is `after` what one move makes of `before`: the afterstate and one new 2 or 4?
function assertMoved(beforeDigits, direction, afterDigits, rows, cols) {
    const moved = toDigits(moveBoard(parseBoard(beforeDigits, rows, cols), direction).board);
    const changed = [...moved].flatMap((digit, cell) =>
        digit === afterDigits[cell] ? [] : [[digit, afterDigits[cell]]],
    );
    assert.equal(changed.length, 1, `${beforeDigits} ${direction} ${afterDigits}`);
    assert.equal(changed[0][0], '0');
    assert.match(changed[0][1], /[12]/);
}

test('play by keys, undo, restart, and find it all again', async () => {
    const page = await open();
    let board = await shownBoard(page),
        score = 0,
        moves = 0;
    for (let i = 0; i < 16; i++) {
        const direction = legalMoves(parseBoard(board, 4, 4))[i % legalMoves(parseBoard(board, 4, 4)).length];
        await page.keyboard.press(KEYS[direction][i % 2]);
        const next = await shownBoard(page);
        assertMoved(board, direction, next, 4, 4);
        score += moveBoard(parseBoard(board, 4, 4), direction).reward;
        board = next;
        assert.equal(await count(page, '#score'), score);
        assert.equal(await count(page, '#moves'), ++moves);
    }
    assert.match(await text(page, '#live'), /Score [\d,]+\./, 'moves are announced');
    assert.equal(await count(page, '#best'), score);

    await page.keyboard.press('u');
    assert.equal(await count(page, '#moves'), moves - 1);
    const before = await shownBoard(page);
    await page.keyboard.press('n');
    assert.equal(await count(page, '#moves'), 0);
    await page.keyboard.press('u');
    assert.equal(await shownBoard(page), before, 'undo brings the old game back');

    await page.reload();
    await page.waitForSelector('#board .tile');
    assert.equal(await shownBoard(page), before, 'the game is kept');
    assert.equal(await count(page, '#best'), score, 'the best score is kept');
});

test('an illegal move changes nothing, swipes move, a finished game is told', async () => {
    const page = await open('#/play/4x4/1000200030004000');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await shownBoard(page), '1000200030004000');
    const box = await page.locator('#board').boundingBox();
    await page.mouse.move(box.x + 40, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 140, box.y + 70, {steps: 4});
    await page.mouse.up();
    assertMoved('1000200030004000', 'right', await shownBoard(page), 4, 4);

    await page.goto(`${server.address}#/play/2x2/1231`);
    await page.waitForSelector('#board .cell:nth-child(4):not(:nth-child(n+17))');
    await page.goto(`${server.address}#/play/2x2/1212`);
    assert.equal(await shownBoard(page), '1212');
    assert.ok(await page.isHidden('#over'));
    await page.goto(`${server.address}#/play/2x2/1221`);
    await page.waitForSelector('#over:not([hidden])');
});

test('tiles slide, pop and fade, unless less motion is wanted', async () => {
    // The key and the look at what moves in one task of the page: the slides are over in a tenth of a second.
    const moving = async (options) => {
        const page = await open('#/play/4x4/1100220000000000', options);
        return page.$eval('#board', (board) => {
            board.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
            const names = board
                .getAnimations({subtree: true})
                .map((one) => one.transitionProperty ?? one.animationName)
                .sort();
            return [names, board.querySelectorAll('.tile').length];
        });
    };
    assert.deepEqual(await moving(), [['pop', 'pop', 'spawn', 'transform', 'transform', 'transform', 'transform'], 7]);
    assert.deepEqual((await moving({...WIDE, reducedMotion: 'reduce'}))[0], []);
});

test('hint bars are the numbers of afterstate hint', async () => {
    const page = await open();
    for (const [size, digits, options] of [
        ['4x4', '1230000000000010', []],
        ['4x4', '78a9123412210010', []],
        ['3x3', '123001000', ['--net', world.network]],
        ['3x3', '765432120', ['--net', world.network]],
    ])
        for (const depth of [1, 3]) {
            const [rows, cols] = size.split('x');
            await page.goto(`${server.address}#/play/${rows}x${cols}/${digits}`);
            await page.fill('#effort', String(depth));
            await page.waitForFunction(
                (depthText) => document.getElementById('judge').textContent.includes(depthText),
                `depth ${depth}`,
            );
            const told = runJson('hint', ...options, '--board', size, '--depth', String(depth), digits);
            assert.deepEqual(await shownBars(page, digits), told.moves, `${digits} at depth ${depth}`);
            assert.equal(await shownBest(page), told.best);
        }
    await page.click('text=Time');
    await page.waitForFunction(() => document.getElementById('effort-text').textContent.endsWith('ms'));
    assert.notEqual(await shownBest(page), null, 'by time there is a best move too');
});

test('on a solved board: exact values, and what the last move lost', async () => {
    const page = await open();
    await page.selectOption('#size', '2x3');
    for (const digits of ['001001', '110100', '120310']) {
        await page.goto(`${server.address}#/play/2x3/${digits}`);
        const exact = runJson('query', world.table, digits);
        assert.deepEqual(await shownBars(page, digits), exact.moves);
        assert.equal(await shownBest(page), exact.best);
        assert.match(await text(page, '#judge'), /^Exact/);
        const worst = Object.entries(exact.moves)
            .filter(([, value]) => value !== null)
            .sort((a, b) => a[1] - b[1])[0];
        await page.keyboard.press(KEYS[worst[0]][0]);
        await page.waitForSelector(`#loss[data-board="${digits}"]:not(.stale)`);
        assert.equal(Number(await page.getAttribute('#loss', 'data-loss')), exact.moves[exact.best] - worst[1]);
    }
});

test('hints are asked one at a time, the latest wins', {skip: isSite && 'needs a server'}, async () => {
    const page = await open();
    let asked = 0;
    await page.route('**/api/hint*', async (route) => {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 60));
        await route.continue().catch(() => {}); // those that were aborted meanwhile
    });
    for (let i = 0; i < 12; i++) await page.keyboard.press(['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'][i % 4]);
    const board = await shownBoard(page);
    await shownBars(page, board);
    assert.ok(asked <= 26, `${asked} requests for 12 moves`);
    await page.waitForTimeout(300);
    const settled = asked;
    await page.waitForTimeout(500);
    assert.equal(asked, settled, 'a resting page asks nothing');
});

test('watch, pause, step, take over', async () => {
    const page = await open('#/play/3x3/110000000');
    await page.fill('#speed', '7');
    await page.fill('#effort', '1');
    await page.click('#watch-run');
    await page.waitForFunction(() => Number(document.getElementById('moves').textContent) > 20);
    await page.focus('#board');
    await page.keyboard.press('u'); // takes a move back and pauses
    assert.equal(await text(page, '#watch-run'), 'Watch it play');
    const moves = await count(page, '#moves');
    await page.waitForTimeout(200);
    assert.equal(await count(page, '#moves'), moves, 'paused');
    const board = await shownBoard(page);
    const best = runJson('hint', '--net', world.network, '--depth', '1', board).best;
    await page.keyboard.press('.');
    await page.waitForFunction((n) => Number(document.getElementById('moves').textContent) === n, moves + 1);
    assertMoved(board, best, await shownBoard(page), 3, 3);
    assert.equal(await count(page, '#best'), 0, "the program's games are not the person's best");

    // Slowly, then a move of the person's: the program rests.
    await page.goto(`${server.address}#/play/3x3/112000000`);
    await page.fill('#speed', '3');
    await page.focus('#board');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => Number(document.getElementById('moves').textContent) >= 2);
    const now = await shownBoard(page);
    await page.keyboard.press(KEYS[legalMoves(parseBoard(now, 3, 3))[0]][0]);
    await page.waitForFunction(() => document.getElementById('watch-run').textContent === 'Watch it play');
    const taken = await count(page, '#moves');
    await page.waitForTimeout(300);
    assert.equal(await count(page, '#moves'), taken);
});

test('set a board up by clicks, keys and text, and share it', async () => {
    const page = await open();
    await page.keyboard.press('e');
    await page.click('#setup-clear');
    await page.click('#brushes label[data-value="11"]');
    await page.click('.cell-button >> nth=5');
    await page.focus('.cell-button >> nth=0');
    await page.keyboard.press('1');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('2');
    await page.keyboard.press('+');
    assert.equal(await page.inputValue('#setup-text'), '13000b0000000000');
    await page.fill('#setup-text', '2 4 / 8 3');
    assert.match(await text(page, '#setup-error'), /'3' is no tile/);
    await page.fill('#setup-text', '2 4 8 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 131072');
    await page.click('text=Play it');
    assert.equal(await shownBoard(page), '123000000000000h');
    await page.focus('#board');
    await page.keyboard.press('c');
    assert.equal(new URL(page.url()).hash, '#/play/4x4/123000000000000h');
    const other = await open();
    await other.keyboard.press(KEYS[legalMoves(parseBoard(await shownBoard(other), 4, 4))[0]][0]);
    const own = await shownBoard(other);
    await other.goto(page.url());
    assert.equal(await shownBoard(other), '123000000000000h');
    await other.keyboard.press('u');
    assert.equal(await shownBoard(other), own, 'a link does not lose the game that was there');
    await other.goto(`${server.address}#/play/4x4/12z`);
    await other.waitForFunction(() => document.getElementById('share-note').textContent.includes('no board'));
});

test('review a recorded game', async () => {
    const page = await open('#/review');
    await page.selectOption('#review-depth', '1');
    await page.setInputFiles('#review-file', world.record);
    await page.waitForSelector('#review-worst button');
    await page.waitForSelector('#review-progress', {state: 'hidden'});
    assert.match(await text(page, '#review-about'), /3x3/);
    await page.click('#review-worst button >> nth=0');
    const board = await shownBoard(page, '#review-board');
    const told = runJson('hint', '--net', world.network, '--depth', '1', board);
    const bars = await page.$$eval('#review-bars li', (items) =>
        Object.fromEntries(
            items.map((item) => [
                item.dataset.direction,
                item.dataset.value === '' ? null : Number(item.dataset.value),
            ]),
        ),
    );
    assert.deepEqual(bars, told.moves);
    const [place] = (await text(page, '#review-place')).split(' / ');
    await page.focus('#review-back');
    await page.keyboard.press('ArrowLeft');
    assert.equal((await text(page, '#review-place')).split(' / ')[0], String(Number(place) - 1));

    // The second of the three games.
    const first = await text(page, '#review-about');
    await page.fill('#review-index', '2');
    await page.keyboard.press('Tab');
    await page.waitForFunction((old) => document.getElementById('review-about').textContent !== old, first);

    await page.setInputFiles('#review-file', {
        name: 'noise.rec',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('no record'),
    });
    await page.waitForSelector('#review-error:not([hidden])');
    page.errors = page.errors.filter((error) => !error.includes('400')); // the browser itself logs the refusal
    await page.click('#review-last'); // the old review is still there
    assert.match(await text(page, '#review-place'), /^end of/);
});

test("review and save one's own game", async () => {
    const page = await open('#/play/2x3/001001');
    for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown'])
        await page.keyboard.press(key);
    const moves = await count(page, '#moves');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    const saved = join(world.directory, 'saved.rec');
    await download.saveAs(saved);
    const [number, , board, score] = run('play', '--replay', saved, '--moves').trim().split('\n').at(-1).split(' ');
    assert.deepEqual(
        [Number(number), board, Number(score)],
        [moves, await shownBoard(page), await count(page, '#score')],
    );
    await page.focus('#board');
    await page.keyboard.press('r');
    await page.waitForFunction((n) => document.getElementById('review-place').textContent === `1 / ${n}`, moves);
    assert.match(await text(page, '#review-about'), /by the table 2x3/);
    const about = await text(page, '#review-about');

    await page.setInputFiles('#review-file', saved);
    await page.waitForFunction(() => document.getElementById('review-about').textContent.startsWith('saved.rec'));
    await page.waitForSelector('#review-progress', {state: 'hidden'});
    assert.equal((await text(page, '#review-about')).split(': ')[1], about.split(': ')[1]);

    await page.click('#review-paste');
    await page.fill('#paste-text', '{"rows": 2, "cols": 3, "start": "100100", "moves": [["up", 3, 2]]}');
    await page.click('#paste-form >> text=Review');
    await page.waitForFunction(() => document.getElementById('review-about').textContent.startsWith('Pasted game'));
});

test('learning curves move while a training runs', {skip: isSite && 'needs a server'}, async () => {
    const page = await open('#/learn');
    await page.waitForSelector('#learn-chart path.line');
    assert.equal(await page.locator('#learn-chart path.line').count(), 2, 'two runs laid over one another');
    assert.equal(await page.locator('#learn-runs tr').count(), 2);
    const dots = () => page.locator('#learn-chart .dot').count();
    assert.equal(await dots(), 10);
    await page.click('#learn-runs tr:nth-child(1) input');
    await page.waitForFunction(() => document.querySelectorAll('#learn-chart .dot').length === 5);
    await page.selectOption('#learn-column', 'moves_per_second');

    const training = spawn(
        program,
        trainArguments(join(world.runs, 'third'), 'train.actions=1G', 'eval.every=1e5', 'train.checkpoint=1s'),
        {stdio: 'ignore'},
    );
    const ended = new Promise((resolve) => training.once('exit', resolve));
    try {
        await page.waitForSelector('#learn-runs tr:nth-child(3)');
        assert.match(await text(page, '#learn-runs tr:nth-child(3) .about'), /planned for 1G moves/);
        await page.click('#learn-runs tr:nth-child(1) input');
        await page.click('#learn-runs tr:nth-child(3) input');
        await page.waitForFunction(() => document.querySelectorAll('#learn-chart path.line').length === 3);
        const length = () =>
            page.$$eval('#learn-chart path.line', (paths) =>
                Math.max(...paths.map((path) => path.getAttribute('d').split('L').length)),
            );
        const now = await length();
        await page.waitForFunction(
            (n) =>
                [...document.querySelectorAll('#learn-chart path.line')].some(
                    (path) => path.getAttribute('d').split('L').length > n,
                ),
            now,
        );
    } finally {
        training.kill('SIGINT');
        await ended;
    }
});

test('a solved board, age by age', async () => {
    const page = await open('#/solved');
    await page.waitForSelector('#solved-charts path.line');
    assert.ok((await page.locator('#solved-charts .card').count()) >= 5);
    await page.click('#solved-play');
    await page.waitForFunction(() => document.getElementById('size').value === '2x3');
});

test('a choice between two networks of a size, kept for the next visit', {skip: isSite}, async () => {
    const other = join(world.directory, 'other.net'),
        board = '123001000';
    copyFileSync(join(world.runs, 'second', 'network.net'), other);
    const mine = await startServer(world, 0, world.table, [other]);
    const page = await openPage(browser, `${mine.address}#/play/3x3/${board}`);
    const expected = (net) => runJson('hint', board, '--board', '3x3', '--net', net, '--depth', '3').moves;
    const byName = (name) =>
        page.waitForFunction((part) => document.getElementById('judge').textContent.includes(part), name);
    await byName('network.net');
    assert.deepEqual(await page.locator('#judge-choice option').allTextContents(), ['network.net', 'other.net']);
    await page.selectOption('#judge-choice', 'other.net');
    await byName('other.net');
    await page.reload();
    await byName('other.net');
    for (const [name, net] of [
        ['other.net', other],
        ['network.net', world.network],
    ]) {
        await page.selectOption('#judge-choice', name);
        await byName(name);
        const hint = await (await fetch(`${mine.address}api/hint?board=${board}&depth=3&judge=${name}`)).json();
        assert.deepEqual(
            Object.values(hint.moves).filter((value) => value !== null),
            Object.values(expected(net)).filter((value) => value !== null),
        );
    }
    assert.deepEqual(page.errors, []);
    await page.goto(`${mine.address}#/play/4x4`);
    await page.waitForFunction(() => document.getElementById('judge').textContent.includes('depth'));
    await page.context().close();
    assert.equal(await mine.stop(), 0);
});

test('a board solved for a tile, with more 4s', async () => {
    const mine = await startServer(world, 0, world.goalTable);
    const page = await openPage(browser, `${mine.address}#/solved`);
    await page.waitForSelector('#solved-charts path.line');
    const facts = await text(page, '#solved-facts');
    assert.match(facts, /Chance of a 16, played perfectly\s*0\.9/);
    assert.match(facts, /Chance that a new tile is a 4\s*0\.25/);
    assert.match(facts, /Chance from 2 and 2\s*0\.9/);
    assert.doesNotMatch(facts, /score/i);
    assert.equal(await page.locator('#solved-charts .card').count(), 4); // no shares of ends and of lost points
    assert.doesNotMatch(await text(page, '#solved-charts'), /points/);
    await page.close();
    assert.equal(await mine.stop(), 0);
});

test('the server goes and comes back', {skip: isSite && 'needs a server'}, async () => {
    const mine = await startServer(world);
    const page = await openPage(browser, mine.address);
    await shownBars(page, await shownBoard(page));
    assert.equal(await mine.stop(), 0);
    for (let i = 0; i < 4; i++) await page.keyboard.press(['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'][i]);
    await page.waitForSelector('#offline:not([hidden])');
    assert.ok((await count(page, '#moves')) >= 2, 'the game goes on without it');
    assert.ok(await page.isDisabled('#watch-run'));
    const again = await startServer(world, mine.port);
    await page.waitForSelector('#offline', {state: 'hidden'});
    await shownBars(page, await shownBoard(page));
    assert.deepEqual(
        page.errors.filter((error) => !error.includes('ERR_')),
        [],
        'only the network told of errors',
    );
    await page.context().close();
    assert.equal(await again.stop(), 0);
});
