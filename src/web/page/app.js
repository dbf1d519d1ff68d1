// The page's beginning: makes the views, shows the one that the address names (#/play, #/play/4x4/DIGITS, #/review,
// #/learn, #/solved), hands keys to it, lists them on '?', and says when the server is gone.

import {checkHealth, server} from './api.js';
import {announce, byId, element, setCurrent} from './dom.js';
import {wantsKey} from './input.js';
import {LearnView} from './learn.js';
import {PlayView} from './play.js';
import {ReviewView} from './review.js';
import {sizeName, toDigits} from './rules.js';
import {SolvedView} from './solved.js';
import {Source} from './source.js';

const KEYS = {
    Anywhere: {'?': 'these keys', '1 2 3 4': 'Play, Review, Learn, Solved boards'},
    Play: {
        '← ↑ → ↓': 'move the tiles',
        'w a s d': 'the same',
        u: 'undo',
        y: 'redo',
        n: 'new game (undo brings the old one back)',
        h: 'hints on and off',
        space: 'watch, pause',
        '.': 'one move by the program',
        e: 'set up a board',
        c: 'copy a link to this board',
        p: 'a picture of this board',
        'Ctrl+V': 'play a board that was copied elsewhere',
        r: 'review this game',
    },
    'Set up': {
        '← ↑ → ↓': 'walk',
        '0 … h': 'set a tile',
        '+ −': 'next and previous tile',
        Enter: 'place the chosen tile',
        Esc: 'leave',
    },
    Review: {'← →': 'back, forward', 'Home End': 'first and last move', 'PgUp PgDn': 'twenty moves'},
};

const go = (hash) => {
    location.hash = hash;
};
const review = new ReviewView(
    () => play.game,
    (board) => go(`#/play/${sizeName(board)}/${toDigits(board)}`),
);
const play = new PlayView((game) => {
    go('#/review');
    review.openGame(game);
});
const views = {
    play,
    review,
    learn: new LearnView(),
    solved: new SolvedView((rows, cols) => go(`#/play/${rows}x${cols}`)),
};
let current = null;

function route() {
    const [, name = 'play', ...rest] = location.hash.split('/');
    const next = name in views ? name : 'play';
    for (const other of Object.keys(views)) byId(`view-${other}`).hidden = other !== next;
    for (const link of document.querySelectorAll('nav a')) setCurrent(link, 'page', link.hash === `#/${next}`);
    document.title = next === 'play' ? 'afterstate' : `${byId(`${next}-title`).textContent} – afterstate`;
    if (current !== next && current !== null) {
        views[current].hide();
        scrollTo(0, 0);
        announce(byId(`${next}-title`).textContent);
    }
    current = next;
    if (next === 'play') play.open(...rest.map(decodeURIComponent));
    views[next].show();
}

function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || wantsKey(event.target, event.key))
        return;
    if (event.key === '?') byId('keys').showModal();
    else if (views[current].key(event)) event.preventDefault();
    else if ('1234'.includes(event.key) && event.key.length === 1) go(`#/${Object.keys(views)[event.key - 1]}`);
}

function onServer() {
    if (byId('offline').hidden === server.gone) announce(server.gone ? 'The server is gone.' : 'The server is back.');
    byId('offline').hidden = !server.gone;
}

new Source();
byId('keylist').append(
    ...Object.entries(KEYS).flatMap(([part, keys]) => [
        element('h3', {}, part),
        ...Object.entries(keys).flatMap(([key, job]) => [
            element('span', {}, ...key.split(' ').map((one) => element('kbd', {}, one))),
            element('span', {}, job),
        ]),
    ]),
);
byId('keys-button').addEventListener('click', () => byId('keys').showModal());
byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId('main').focus();
});
byId('board').tabIndex = 0;
addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (current !== 'play' || text.trim() === '' || event.target.closest?.('input, textarea, dialog')) return;
    event.preventDefault();
    play.paste(text);
});
addEventListener('keydown', onKey);
addEventListener('hashchange', route);
server.addEventListener('change', onServer);
document.addEventListener('visibilitychange', () => document.hidden || checkHealth());
route();
checkHealth();
