// Charts as plain SVG: lines with an interval around them, or stems, over a linear or logarithmic axis; the nearest
// points are named where the pointer is. Thousands of points are drawn as the extremes of each pixel column.

import {axisTexts, element, shortNumber} from './dom.js';

const HEIGHT = 260,
    LEFT = 58,
    RIGHT = 14,
    TOP = 10,
    BOTTOM = 40;
export const N_SERIES_COLOURS = 6;

// Round steps that cut a range into about n parts.
export function ticks(low, high, n) {
    const rough = (high - low) / n;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * unit).find((candidate) => candidate >= rough * 0.999);
    const list = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
        list.push(Number((i * step).toPrecision(12)));
    return list;
}

function logTicks(low, high) {
    const list = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
        if (10 ** power >= low * 0.999 && 10 ** power <= high * 1.001) list.push(10 ** power);
    const every = Math.ceil(list.length / 6);
    return list.filter((_, i) => i % every === 0);
}

// Points of a series: [{x, y, spread}], without the holes.
const pointsOf = ({x, y, spread}) =>
    x.flatMap((at, i) =>
        Number.isFinite(y[i]) && Number.isFinite(at) && y[i] !== null && at !== null
            ? [{x: at, y: y[i], spread: spread?.[i] ?? 0}]
            : [],
    );

export class Chart {
    #root;
    #svg = null;
    #options = null;
    #scale = null;
    #width = 0;

    constructor(root) {
        this.#root = root;
        root.classList.add('chart');
        new ResizeObserver(() => {
            if (this.#options && Math.abs(root.clientWidth - this.#width) > 1) this.#draw();
        }).observe(root);
    }

    // {series: [{name, x, y, spread, colour}], kind: 'line' | 'stem', xLabel, yLabel, log, marker, onPick, label,
    // fromZero}
    show(options) {
        this.#options = {
            kind: 'line',
            log: false,
            fromZero: false,
            ...options,
            series: options.series.map((series, i) => ({
                colour: (i % N_SERIES_COLOURS) + 1,
                ...series,
                points: pointsOf(series),
            })),
        };
        this.#draw();
    }

    // Moves the marker (a vertical line at x) without drawing all anew.
    mark(x) {
        if (!this.#options) return;
        this.#options.marker = x;
        const line = this.#svg?.querySelector('.marker');
        const at = this.#scale?.x(x) ?? 0;
        line?.setAttribute('x1', at);
        line?.setAttribute('x2', at);
    }

    #draw() {
        const {series, kind, log, marker, xLabel, yLabel, label} = this.#options;
        const width = (this.#width = Math.max(240, this.#root.clientWidth));
        this.#scale = this.#makeScale(series, width);
        const svg = (this.#svg = element('svg:svg', {
            viewBox: `0 0 ${width} ${HEIGHT}`,
            height: HEIGHT,
            role: 'img',
            'aria-label': label ?? yLabel,
        }));
        const {x, y, xTicks, yTicks} = this.#scale;
        const xTexts = axisTexts(xTicks),
            yTexts = log ? yTicks.map(shortNumber) : axisTexts(yTicks);
        for (const [i, tick] of yTicks.entries())
            svg.append(
                element('svg:line', {class: 'grid', x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick)}),
                element('svg:text', {x: LEFT - 8, y: y(tick) + 4, 'text-anchor': 'end'}, yTexts[i]),
            );
        for (const [i, tick] of xTicks.entries())
            svg.append(
                element('svg:text', {x: x(tick), y: HEIGHT - BOTTOM + 18, 'text-anchor': 'middle'}, xTexts[i]),
            );
        svg.append(
            element('svg:text', {x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 4, 'text-anchor': 'middle'}, xLabel),
        );
        for (const one of series) svg.append(...(kind === 'stem' ? this.#stems(one) : this.#line(one)));
        if (marker !== undefined)
            svg.append(
                element('svg:line', {class: 'marker', x1: x(marker), x2: x(marker), y1: TOP, y2: HEIGHT - BOTTOM}),
            );
        this.#listen(svg);
        this.#root.replaceChildren(svg, ...(series.length > 1 ? [this.#legend(series)] : []));
    }

    #makeScale(series, width) {
        const points = series.flatMap((one) => one.points);
        const {log, fromZero} = this.#options;
        const usable = log ? points.filter((point) => point.y > 0) : points;
        let [x0, x1] = extent(
            usable.map((point) => point.x),
            [0, 1],
        );
        let [y0, y1] = extent(
            usable.flatMap((point) => (log ? [point.y] : [point.y - point.spread, point.y + point.spread])),
            log ? [1, 10] : [0, 1],
        );
        if (x0 === x1) [x0, x1] = [x0 - 1, x1 + 1];
        if (log) {
            [y0, y1] = [y0 / 1.2, y1 * 1.2];
        } else {
            if (fromZero || (y0 > 0 && y0 < 0.35 * y1)) y0 = Math.min(0, y0);
            const margin = (y1 - y0 || Math.abs(y1) || 1) * 0.06;
            [y0, y1] = [y0 === 0 ? 0 : y0 - margin, y1 + margin];
        }
        const across = (value) => LEFT + ((value - x0) / (x1 - x0)) * (width - LEFT - RIGHT);
        const share = log ? (value) => Math.log(value / y0) / Math.log(y1 / y0) : (value) => (value - y0) / (y1 - y0);
        const up = (value) => HEIGHT - BOTTOM - share(value) * (HEIGHT - TOP - BOTTOM);
        return {
            x: across,
            y: up,
            xTicks: ticks(x0, x1, width < 420 ? 4 : 6),
            yTicks: log ? logTicks(y0, y1) : ticks(y0, y1, 5),
        };
    }

    #line({points, colour}) {
        const {x, y} = this.#scale,
            {log} = this.#options;
        const usable = thin(log ? points.filter((point) => point.y > 0) : points, x, true);
        const place = (point, dy) => `${x(point.x).toFixed(1)},${y(point.y + dy).toFixed(1)}`;
        const parts = [];
        if (!log && usable.some((point) => point.spread > 0))
            parts.push(
                element('svg:path', {
                    class: `area series-${colour}`,
                    d: `M${usable.map((point) => place(point, point.spread)).join('L')}L${usable
                        .toReversed()
                        .map((point) => place(point, -point.spread))
                        .join('L')}Z`,
                }),
            );
        if (usable.length > 1)
            parts.push(
                element('svg:path', {
                    class: `line series-${colour}`,
                    d: `M${usable.map((point) => place(point, 0)).join('L')}`,
                }),
            );
        if (usable.length > 0 && usable.length <= 40)
            parts.push(
                ...usable.map((point) =>
                    element('svg:circle', {class: `dot series-${colour}`, cx: x(point.x), cy: y(point.y), r: 3}),
                ),
            );
        return parts;
    }

    #stems({points, colour}) {
        const {x, y} = this.#scale;
        const d = thin(
            points.filter((point) => point.y > 0),
            x,
            false,
        )
            .map((point) => `M${x(point.x).toFixed(1)},${y(0).toFixed(1)}V${y(point.y).toFixed(1)}`)
            .join('');
        return [element('svg:path', {class: `stem series-${colour}`, d})];
    }

    #legend(series) {
        return element(
            'div',
            {class: 'legend'},
            ...series.map(({name, colour}) =>
                element('span', {}, element('span', {class: `swatch series-${colour}`}), name),
            ),
        );
    }

    // The point nearest to a place on the screen, of some points; null if there are none.
    #nearest(points, at) {
        const distance = (point) => Math.abs(this.#scale.x(point.x) - at);
        return points.reduce((best, point) => (best && distance(best) <= distance(point) ? best : point), null);
    }

    #listen(svg) {
        const {series, onPick} = this.#options;
        const all = series.flatMap((one) => one.points);
        const cursor = element('svg:line', {class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM, visibility: 'hidden'});
        const tip = element('div', {class: 'tip', hidden: true});
        svg.append(cursor);
        const place = (event) => {
            const {left, width} = svg.getBoundingClientRect();
            return ((event.clientX - left) * this.#width) / width;
        };
        svg.addEventListener('pointermove', (event) => {
            const point = this.#nearest(all, place(event));
            if (!point) return;
            const x = this.#scale.x(point.x);
            cursor.setAttribute('x1', x);
            cursor.setAttribute('x2', x);
            cursor.setAttribute('visibility', 'visible');
            this.#tell(tip, point.x);
        });
        svg.addEventListener('pointerleave', () => {
            tip.hidden = true;
            cursor.setAttribute('visibility', 'hidden');
        });
        svg.addEventListener('click', (event) => {
            const point = this.#nearest(all, place(event));
            if (point) onPick?.(point.x);
        });
    }

    // Fills the tip with what every series has near x, and puts it beside the cursor, where there is room.
    #tell(tip, x) {
        const {series, xLabel} = this.#options;
        const at = this.#scale.x(x);
        const lines = series.flatMap(({name, colour, points}) => {
            const point = this.#nearest(points, at);
            if (!point) return [];
            const spread = point.spread ? ` ± ${precise(point.spread, 3)}` : '';
            const text = `${series.length > 1 ? `${name}: ` : ''}${precise(point.y, 7)}${spread}`;
            return [element('div', {}, element('span', {class: `swatch series-${colour}`}), text)];
        });
        tip.replaceChildren(element('div', {}, `${xLabel} ${x.toLocaleString('en-US')}`), ...lines);
        this.#root.append(tip);
        tip.hidden = false;
        const right = at + 12;
        const fits = right + tip.offsetWidth <= this.#root.clientWidth;
        tip.style.transform = `translate(${fits ? right : Math.max(0, at - 12 - tip.offsetWidth)}px, 4px)`;
    }
}

const precise = (value, digits) => value.toLocaleString('en-US', {maximumSignificantDigits: digits});

// The smallest and largest value, or `otherwise` where there is none.
function extent(values, otherwise) {
    let low = Infinity,
        high = -Infinity;
    for (const value of values) {
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    return low > high ? otherwise : [low, high];
}

// The highest (and lowest) point of each pixel column, where there are more points than columns.
function thin(points, x, lowToo) {
    if (points.length < 1200) return points;
    const columns = new Map();
    for (const point of points) {
        const column = Math.round(x(point.x));
        const kept = columns.get(column) ?? {high: point, low: point};
        columns.set(column, {
            high: point.y > kept.high.y ? point : kept.high,
            low: point.y < kept.low.y ? point : kept.low,
        });
    }
    return [...columns.values()].flatMap(({high, low}) =>
        !lowToo || high === low ? [high] : high.x < low.x ? [high, low] : [low, high],
    );
}
