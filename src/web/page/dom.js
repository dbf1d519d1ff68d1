// Small helpers around the document: elements, numbers as people read them, announcements, remembered settings.

export const byId = (id) => document.getElementById(id);

// element('li', {class: 'best', title: 'x'}, child, 'text'): attributes, then children; null children are left out.
export function element(name, attributes = {}, ...children) {
    const made = name.startsWith('svg:')
        ? document.createElementNS('http://www.w3.org/2000/svg', name.slice(4))
        : document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        if (value !== null && value !== undefined && value !== false)
            made.setAttribute(key, value === true ? '' : value);
    made.append(...children.filter((child) => child !== null));
    return made;
}

export const plural = (n, word) => `${n.toLocaleString('en-US')} ${word}${n === 1 ? '' : 's'}`;

// As many places as help to compare: 0.0123, 12.35, 474.52, 4,102.5, 122,400.
export function number(value) {
    if (value === null || value === undefined) return '–';
    const size = Math.abs(value);
    const places =
        size >= 10000 || Number.isInteger(value) ? 0 : size >= 1000 ? 1 : size >= 1 ? 2 : size >= 0.001 ? 4 : 6;
    return value.toLocaleString('en-US', {minimumFractionDigits: Math.min(places, 2), maximumFractionDigits: places});
}

// An evaluator (`judge` in the API): the file of a network, 'bundled' or 'simple'.
const judges = {simple: 'the hand-made value', bundled: 'the bundled network', neural: 'the neural network', small: 'the small network'};
export const judgeName = (judge) => judges[judge] ?? judge.split('/').pop();

// 12.3M for axes and tables of large numbers; 1,805.
export function shortNumber(value) {
    const size = Math.abs(value);
    for (const [unit, name] of [
        [1e12, 'T'],
        [1e9, 'G'],
        [1e6, 'M'],
        [1e4, 'k'],
    ])
        if (size >= unit) return `${Number((value / (name === 'k' ? 1e3 : unit)).toPrecision(4))}${name}`;
    const rounded = Number(value.toPrecision(4));
    return size < 1e3 ? String(rounded) : rounded.toLocaleString('en-US');
}

// The numbers of an axis in one unit, that of the largest: 0, 0.5M, 1M, 1.5M; 8,000, 10,000.
export function axisTexts(ticks) {
    const largest = Math.max(...ticks.map(Math.abs));
    const units = [
        [1e12, 1e12, 'T'],
        [1e9, 1e9, 'G'],
        [1e6, 1e6, 'M'],
        [1e5, 1e3, 'k'],
        [0, 1, ''],
    ];
    const [, size, name] = units.find(([from]) => largest >= from);
    const text = (tick) => Number((tick / size).toPrecision(7)).toLocaleString('en-US', {maximumFractionDigits: 9});
    return ticks.map((tick) => (tick === 0 ? '0' : text(tick) + name));
}

// A number as recipes have it: 1e8, 100M, 1_000_000.
export function recipeNumber(text) {
    const [, digits, unit] = /^(.*?)([kMG]?)$/.exec(String(text).replaceAll('_', ''));
    return Number(digits) * {'': 1, k: 1e3, M: 1e6, G: 1e9}[unit];
}

// "0.4 ms", "38 ms", "2.1 s".
export function duration(ms) {
    if (ms < 0.05) return 'below 0.1 ms';
    if (ms < 1000) return `${Number(ms.toFixed(ms < 10 ? 1 : 0))} ms`;
    return `${Number((ms / 1000).toFixed(1))} s`;
}

// Says a sentence to screen readers. The same sentence twice is said twice.
export function announce(sentence) {
    const live = byId('live');
    live.textContent = live.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

// Marks an element as the current one of its kind ('page', 'true'), or takes the mark away.
export function setCurrent(item, kind, isCurrent) {
    if (isCurrent) item.setAttribute('aria-current', kind);
    else item.removeAttribute('aria-current');
}

export function showError(place, error) {
    place.textContent = error ? error.message : '';
    place.hidden = !error;
}

// What the browser keeps for the next visit. A browser that keeps nothing (private windows) is fine.
export const store = {
    get(key, otherwise) {
        try {
            return JSON.parse(localStorage.getItem(`afterstate.${key}`)) ?? otherwise;
        } catch {
            return otherwise;
        }
    },
    set(key, value) {
        try {
            localStorage.setItem(`afterstate.${key}`, JSON.stringify(value));
        } catch {
            /* full or forbidden: then it is not kept */
        }
    },
};

export function download(name, blob) {
    const link = element('a', {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
