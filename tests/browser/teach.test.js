// Hints that teach, watching at speed, reviews that mean something, and the small things around a game.

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';

import {tilesToShow} from '../../src/web/page/outlook.js';
import {legalMoves, moveBoard, parseBoard, toDigits} from '../../src/web/page/rules.js';
import {
    PHONE,
    count,
    isSite,
    launch,
    makeWorld,
    openPage,
    run,
    runJson,
    screenshots,
    shownBars,
    shownBest,
    shownBoard,
    startServer,
    text,
    trainArguments,
} from './harness.js';

let world, server, browser;
const pages = [];

before(async () => {
    world = makeWorld();
    server = await startServer(world);
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await server?.stop();
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

const shownFills = (page) =>
    page.$$eval('#bars li', (items) =>
        Object.fromEntries(
            items.map((item) => [
                item.dataset.direction,
                Number(item.querySelector('.fill').style.getPropertyValue('--share')),
            ]),
        ),
    );

test('the best move is an arrow on the board, seen on a phone', async () => {
    const page = await open('#/play/3x3/765432120', PHONE);
    await shownBars(page, '765432120');
    assert.equal(await page.getAttribute('#arrow', 'data-direction'), await shownBest(page));
    const arrow = await page.locator('#arrow').boundingBox(),
        board = await page.locator('#board').boundingBox();
    assert.ok(arrow.y + arrow.height < PHONE.viewport.height, 'above the fold');
    assert.ok(arrow.x >= 0 && arrow.x + arrow.width <= PHONE.viewport.width, 'inside the window');
    assert.ok(arrow.x < board.x + board.width && arrow.x + arrow.width > board.x, 'at the board');
    await page.screenshot({path: join(screenshots, 'phone-arrow.png')});
    await page.click('#hints-on');
    assert.ok(await page.isHidden('#arrow'));
});

test('bars are honest about size, and words say what the second-best move does', async () => {
    const page = await open();
    for (const digits of ['123001000', '765432120', '210430000']) {
        await page.goto(`${server.address}#/play/3x3/${digits}`);
        const values = await shownBars(page, digits);
        const fills = await shownFills(page);
        const best = Math.max(...Object.values(values).filter((value) => value !== null));
        for (const [direction, value] of Object.entries(values)) {
            const share = value === null ? 0 : Math.max(0, 1 - (best - value) / best / 0.02);
            assert.ok(Math.abs(fills[direction] - share) < 1e-6, `${digits} ${direction}`);
        }
        assert.match(await text(page, '#caption'), /^Points still to come/);
        assert.match(await text(page, '#why'), /^(Second best is|Only) \w+/);
    }
    await page.goto(`${server.address}#/play/4x4/1230000000000010`);
    await shownBars(page, '1230000000000010');
    const isHandMade = (await text(page, '#judge')).includes('hand-made');
    assert.match(await text(page, '#caption'), isHandMade ? /^Hand-made value/ : /^Points still to come/);
});

test('the chance of each tile by rollouts, and the expected line', async () => {
    const page = await open('#/play/3x3/543210000');
    await page.click('#outlook summary');
    await page.waitForFunction(() => document.getElementById('chances').dataset.games === '200');
    await page.waitForFunction(() => !document.getElementById('outlook-note').textContent.includes('so far'));
    const shown = await page.$$eval('#chances li', (items) =>
        items.map((item) => [Number(item.dataset.tile), Number(item.dataset.rate)]),
    );
    const board = parseBoard('543210000', 3, 3);
    assert.deepEqual(
        shown.map(([tile]) => tile),
        tilesToShow(board),
    );
    assert.deepEqual(tilesToShow(board), [64, 128, 256, 512, 1024]);
    assert.ok(shown[0][1] > 0.5, '64 is nearly certain');
    for (let i = 1; i < shown.length; i++) assert.ok(shown[i][1] <= shown[i - 1][1], 'larger tiles are rarer');

    const line = await page.$$eval('#line-moves button', (items) => items.map((item) => item.getAttribute('aria-label')));
    assert.ok(line.length >= 1 && line.length <= 6);
    const best = runJson('hint', '--net', world.network, '--depth', '3', '543210000').best;
    assert.ok(line[0].startsWith(`${best},`), `the line begins with the best move: ${line[0]}`);
    await page.click('#line-moves button >> nth=0');
    const next = await shownBoard(page, '#line-board');
    const after = toDigits(moveBoard(board, best).board);
    assert.equal([...next].filter((digit, i) => digit !== after[i]).length, 1, 'the afterstate and one new tile');
    assert.deepEqual(
        tilesToShow(parseBoard('1200000000000000', 4, 4)),
        [2048, 4096, 8192, 16384, 32768, 65536],
        'from the start',
    );
    assert.deepEqual(tilesToShow(parseBoard('g200000000000000', 4, 4)), [131072]);
    await page.screenshot({path: join(screenshots, 'light-outlook.png'), fullPage: true});
    await page.click('#outlook summary');
    // The browser tells the page of the closed panel in a later task; two frames are behind it.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.reload();
    await page.waitForSelector('#board .tile');
    assert.equal(await page.$eval('#outlook', (panel) => panel.open), false, 'the panel stays as it was left');
});

test('watching at full speed plays every move over one stream', async () => {
    const page = await open('#/play/3x3/110000000');
    await page.fill('#effort', '1');
    await page.fill('#speed', '7');
    await page.click('#watch-run');
    await page.waitForFunction(() => document.getElementById('watch-run').textContent === 'Watch it play');
    assert.ok(await page.isVisible('#over'), 'to the end of the game');
    assert.ok((await count(page, '#moves')) > 30);
    assert.ok(await page.$eval('#bars', (bars) => bars.hidden || bars.childElementCount === 4));

    // The game that was watched is whole: the program itself replays it.
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')]);
    const saved = join(world.directory, 'watched.rec');
    await download.saveAs(saved);
    const moves = run('play', '--replay', saved, '--moves').trim().split('\n');
    const [number, , board, score] = moves.at(-1).split(' ');
    assert.deepEqual(
        [Number(number), board, Number(score)],
        [await count(page, '#moves'), await shownBoard(page), await count(page, '#score')],
    );
    await page.focus('#board');
    await page.keyboard.press('u');
    assert.equal(await count(page, '#moves'), Number(number) - 1, 'and can be taken back');
});

test('at full speed the bars do not slide, and another speed takes over', async () => {
    const page = await open('#/play/4x4/1100000000000000');
    await page.fill('#effort', '3'); // at 1 ply the game may be over before the slider moves
    await page.fill('#speed', '7');
    await page.focus('#board');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => Number(document.getElementById('moves').textContent.replaceAll(',', '')) > 40);
    const state = await page.evaluate(() => ({
        instant: document.getElementById('bars').classList.contains('instant'),
        duration: getComputedStyle(document.querySelector('#bars .fill')).transitionDuration,
    }));
    assert.deepEqual(state, {instant: true, duration: '0s'});
    await page.fill('#speed', '0');
    // Moves that were under way may still come; then there is one a second, so at most one in 400 ms.
    for (let before = -1, now = 0; now > before + 1; ) {
        before = await count(page, '#moves');
        await page.waitForTimeout(400);
        now = await count(page, '#moves');
    }
    assert.equal(await page.textContent('#watch-run'), 'Pause', 'the game goes on at the new speed');
    await page.click('#watch-run');
});

test('a review in figures that mean something', async () => {
    const page = await open('#/review');
    await page.selectOption('#review-depth', '1');
    await page.setInputFiles('#review-file', world.record);
    await page.waitForSelector('#review-worst button');
    await page.waitForSelector('#review-progress', {state: 'hidden'});
    const facts = Object.fromEntries(
        await page.$$eval('#review-facts > div', (items) =>
            items.map((item) => [item.querySelector('dt').textContent, item.querySelector('dd').textContent]),
        ),
    );
    assert.match(facts.Accuracy, /^\d+(\.\d+)?%$/);
    assert.match(facts['Best moves'], /^\d+(\.\d+)?%$/);
    assert.ok(Number(facts.Blunders) > 0, 'a random player blunders');
    assert.match(facts['Median loss of the others'], /points?$/);
    assert.match(await text(page, '#review-limits'), /1% or more/);
    assert.doesNotMatch(await text(page, '#review-about'), /lost/);
    assert.equal(await page.locator('#review-accuracy path.line').count(), 1);
    const shares = await page.$$eval('#review-worst .lost', (items) =>
        items.map((item) => Number(item.textContent.match(/\(([\d.]+)%\)/)?.[1] ?? 0)),
    );
    assert.deepEqual(shares, shares.toSorted((a, b) => b - a), 'the worst first');
    const blunders = await page.locator('#review-worst .blunder').count();
    assert.equal(blunders, Math.min(25, Number(facts.Blunders)));
});

test('a notice at the tile that counts and at each larger one', async () => {
    const page = await open('#/play/4x4/aa00000000000000');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('#notice:not([hidden])');
    assert.match(await text(page, '#notice-text'), /^2048 is made/);
    await page.screenshot({path: join(screenshots, 'light-notice.png')});
    await page.click('#notice');
    assert.ok(await page.isHidden('#notice'));
    await page.goto(`${server.address}#/play/4x4/bb00000000000000`);
    await shownBars(page, 'bb00000000000000');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('#notice:not([hidden])');
    assert.match(await text(page, '#notice-text'), /^A 4096, the largest tile/);
    await page.goto(`${server.address}#/play/4x4/5500000000000000`);
    await shownBars(page, '5500000000000000');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.getElementById('moves').textContent === '1');
    assert.ok(await page.isHidden('#notice'), 'a 64 is no news');
});

test('redo, a picture, and boards pasted from elsewhere', async () => {
    const page = await open('#/play/4x4/1100220000000000');
    assert.ok(await page.isDisabled('#redo'));
    const boards = [await shownBoard(page)];
    for (let i = 0; i < 5; i++) {
        const [direction] = legalMoves(parseBoard(boards.at(-1), 4, 4));
        await page.keyboard.press(`Arrow${direction[0].toUpperCase()}${direction.slice(1)}`);
        boards.push(await shownBoard(page));
    }
    await page.keyboard.press('u');
    await page.keyboard.press('u');
    assert.equal(await shownBoard(page), boards[3]);
    await page.keyboard.press('y');
    assert.equal(await shownBoard(page), boards[4]);
    await page.click('#redo');
    assert.equal(await shownBoard(page), boards[5]);
    assert.ok(await page.isDisabled('#redo'));

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#picture')]);
    assert.match(download.suggestedFilename(), /^2048-4x4-\d+\.png$/);
    const file = join(screenshots, 'shared-picture.png');
    await download.saveAs(file);
    const png = readFileSync(file);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [680, 744]);

    const paste = (text) =>
        page.$eval(
            '#board',
            (board, pasted) => {
                const clipboardData = new DataTransfer();
                clipboardData.setData('text', pasted);
                board.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
            },
            text,
        );
    await paste('[[2,4,8,0],[0,0,0,0],[0,0,0,0],[0,0,0,2048]]');
    assert.equal(await shownBoard(page), '123000000000000b');
    await paste('|  2 |    |  8 |\n|    |    |    |\n|  2 |  4 |  8 |');
    assert.equal(await shownBoard(page), '103000123');
    await paste('nothing of the kind');
    assert.equal(await shownBoard(page), '103000123');
    assert.match(await text(page, '#share-note'), /no board/);
});

test('the page says which server answers', {skip: isSite && 'needs a server'}, async () => {
    const page = await open();
    await page.waitForFunction(() => document.getElementById('source-text').textContent !== '');
    const {host} = new URL(server.address);
    assert.ok((await text(page, '#source-text')).startsWith(`The server ${host} answers: afterstate `));
    assert.equal(await page.locator('#source-networks button').count(), 0, 'which networks there are is its business');
});

test('runs of different boards are not laid over one another', {skip: isSite && 'needs a server'}, async () => {
    run(
        ...trainArguments(
            join(world.runs, 'small'),
            'board.rows=2',
            'board.cols=3',
            'network.shape=',
            'network.tuple=0 1 2 3 4 5',
            'train.actions=2e4',
            'eval.every=1e4',
        ),
    );
    const page = await open('#/learn');
    await page.waitForSelector('#learn-chart path.line');
    assert.deepEqual(await page.$$eval('#learn-board option', (items) => items.map((item) => item.value)), [
        '2x3',
        '3x3',
    ]);
    await page.selectOption('#learn-board', '3x3');
    await page.waitForFunction(() => document.querySelectorAll('#learn-runs tr').length === 2);
    await page.waitForFunction(() => document.querySelectorAll('#learn-chart path.line').length === 2);
    const titles = await page.$$eval('#learn-runs label > span:last-child', (items) =>
        items.map((item) => item.firstChild.textContent),
    );
    assert.ok(titles[0].startsWith('first · 3x3 · '), titles[0]);
    await page.selectOption('#learn-board', '2x3');
    await page.waitForFunction(() => document.querySelectorAll('#learn-runs tr').length === 1);
    assert.match(await text(page, '#learn-runs'), /small · 2x3/);
});
