// How the page looks and whether everybody can use it: pictures of every view in both looks and on a phone, nothing
// wider than the window, every control named, enough contrast of every text, and a keyboard that reaches everything.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';

import {PHONE, WIDE, isSite, launch, makeWorld, openPage, screenshots, shownBars, shownBoard, startServer} from './harness.js';

let world, server, browser;

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

// Goes through all views; `look(name)` is called at each.
async function tour(page, look) {
    await page.goto(`${server.address}#/play/4x4/h0012000a8001210`);
    await shownBars(page, 'h0012000a8001210');
    await look('play');
    await page.goto(`${server.address}#/play/4x4/123456789abcdefg`);
    await shownBoard(page);
    await look('tiles');
    await page.focus('#board');
    await page.keyboard.press('e');
    await look('setup');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await look('keys');
    await page.keyboard.press('Escape');
    await page.goto(`${server.address}#/play/2x3/001001`);
    await shownBars(page, '001001'); // keys that come before would go to the board before
    for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
    await page.waitForSelector('#loss:not([hidden], .stale)');
    await look('solved-board');
    await page.click('#outlook summary');
    await page.waitForFunction(() => document.getElementById('chances').dataset.games === '200');
    await page.waitForFunction(() => !document.getElementById('outlook-note').textContent.includes('so far'));
    await look('outlook');
    await page.click('#outlook summary');
    await page.goto(`${server.address}#/review`);
    await look('review-empty');
    await page.setInputFiles('#review-file', world.record);
    await page.waitForSelector('#review-worst button');
    await page.waitForSelector('#review-progress', {state: 'hidden'});
    await page.click('#review-worst button');
    await look('review');
    await page.goto(`${server.address}#/learn`);
    await page.waitForSelector(isSite ? '#learn-empty' : '#learn-chart path.line');
    await look('learn');
    await page.goto(`${server.address}#/solved`);
    await page.waitForSelector('#solved-charts path.line');
    await look('solved');
}

// Controls without a name that a screen reader could say.
const namelessControls = () =>
    [...document.querySelectorAll('button, input, select, textarea, a[href]')]
        .filter(
            (control) =>
                control.checkVisibility() &&
                !control.ariaLabel &&
                !control.textContent.trim() &&
                ![...(control.labels ?? [])].some((label) => label.textContent.trim() || label.ariaLabel),
        )
        .map((control) => control.outerHTML);

// Texts that reach beyond the edge of their card, or are cut off there.
function outsideCards() {
    const outside = [];
    for (const card of document.querySelectorAll('.card')) {
        if (!card.checkVisibility()) continue;
        const right = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight) + 1;
        const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const item = walker.currentNode.parentElement;
            if (!walker.currentNode.data.trim() || item.closest('svg, .unseen') || !item.checkVisibility()) continue;
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            if (range.getBoundingClientRect().right > right) outside.push(walker.currentNode.data.trim());
        }
    }
    return outside;
}

// Visible texts whose contrast with what lies behind them is too low: 4.5, or 3 for large text (WCAG 2, level AA).
function paleTexts() {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const colour = (css) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = css;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return {rgb: [r, g, b], alpha: a / 255};
    };
    const luminance = (rgb) =>
        rgb
            .map((v) => v / 255)
            .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (item) => {
        const layers = [];
        for (let at = item; at; at = at.parentElement) {
            const {rgb, alpha} = colour(getComputedStyle(at).backgroundColor);
            layers.push({rgb, alpha});
            if (alpha === 1) break;
        }
        return layers
            .reverse()
            .reduce((under, {rgb, alpha}) => under.map((v, i) => v * (1 - alpha) + rgb[i] * alpha), [255, 255, 255]);
    };
    const pale = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const item = walker.currentNode.parentElement;
        if (
            !walker.currentNode.data.trim() ||
            item.closest(':disabled, .unseen, #gain, option, svg, noscript') ||
            !item.checkVisibility({opacityProperty: true, visibilityProperty: true})
        )
            continue;
        const style = getComputedStyle(item);
        const size = parseFloat(style.fontSize);
        const [low, high] = [luminance(behind(item)), luminance(colour(style.color).rgb)].sort((a, b) => a - b);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < (size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5))
            pale.push(
                `${walker.currentNode.data.trim()}: ${contrast.toFixed(2)} (${style.color} in ${item.className || item.localName})`,
            );
    }
    return pale;
}

for (const [look, options] of Object.entries({light: WIDE, dark: {...WIDE, colorScheme: 'dark'}, phone: PHONE}))
    test(`every view, ${look}`, async () => {
        const page = await openPage(browser, server.address, {...options, reducedMotion: 'reduce'});
        await tour(page, async (name) => {
            const wide = await page.evaluate(
                () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            assert.ok(wide <= 0, `${name} is ${wide} pixels wider than the window`);
            assert.deepEqual(await page.evaluate(namelessControls), [], name);
            assert.deepEqual(await page.evaluate(paleTexts), [], name);
            assert.deepEqual(await page.evaluate(outsideCards), [], name);
            await page.screenshot({path: join(screenshots, `${look}-${name}.png`), fullPage: name !== 'keys'});
        });
        assert.deepEqual(page.errors, []);
        await page.context().close();
    });

test('the keyboard reaches everything, and the focus is seen', async () => {
    const page = await openPage(browser, server.address);
    const wanted = new Set(
        await page.$$eval(
            '#view-play button:not(:disabled), #view-play select, #view-play input:not([type=radio]), #board, nav a',
            (items) => items.filter((item) => item.checkVisibility()).map((item) => item.id || item.textContent),
        ),
    );
    for (let i = 0; i < 40 && wanted.size > 0; i++) {
        await page.keyboard.press('Tab');
        const {name, outline} = await page.evaluate(() => ({
            name: document.activeElement.id || document.activeElement.textContent,
            outline: getComputedStyle(document.activeElement).outlineStyle,
        }));
        wanted.delete(name);
        assert.notEqual(outline, 'none', `the focus on ${name} is not seen`);
    }
    assert.deepEqual([...wanted], []);
    await page.keyboard.press('3');
    await page.waitForSelector('#view-learn:not([hidden])');
    await page.keyboard.press('1');
    await page.waitForSelector('#view-play:not([hidden])');
    assert.deepEqual(page.errors, []);
    await page.context().close();
});

test('the page is small', {skip: isSite && 'the program is in it'}, async () => {
    const page = await openPage(browser, server.address);
    const bytes = await page.evaluate(() =>
        performance
            .getEntriesByType('resource')
            .concat(performance.getEntriesByType('navigation'))
            .filter((entry) => !entry.name.includes('/api/'))
            .reduce((sum, entry) => sum + entry.decodedBodySize, 0),
    );
    assert.ok(bytes > 50000 && bytes < 200000, `${bytes} bytes`);
    await page.context().close();
});
