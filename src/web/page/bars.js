// Four values as bars, the best marked. The bars show differences, not sizes: all moves of a board have nearly the same
// value, so a bar from zero would say nothing. The best fills its track; the worst keeps a fifth of it.

import {element, number} from './dom.js';
import {DIRECTIONS} from './rules.js';

const ARROWS = {up: '↑', right: '→', down: '↓', left: '←'};

// `values` by direction, null where illegal; `best` and `chosen` are directions or null.
export function drawBars(list, values, best, chosen = null) {
    const legal = DIRECTIONS.filter((direction) => values[direction] !== null);
    const top = Math.max(...legal.map((direction) => values[direction]));
    const bottom = Math.min(...legal.map((direction) => values[direction]));
    const span = (top - bottom) * 1.25;
    if (list.childElementCount !== DIRECTIONS.length) list.replaceChildren(...DIRECTIONS.map(row));
    DIRECTIONS.forEach((direction, i) => {
        const value = values[direction];
        const item = list.children[i];
        const isLegal = value !== null;
        item.className = [direction === best && 'best', !isLegal && 'illegal', direction === chosen && 'chosen']
            .filter(Boolean)
            .join(' ');
        item.dataset.value = isLegal ? String(value) : '';
        item.querySelector('.fill').style.setProperty(
            '--share',
            !isLegal ? 0 : span === 0 ? 1 : 1 - (top - value) / span,
        );
        item.querySelector('.value').textContent = isLegal ? number(value) : 'not legal';
        item.querySelector('.behind').textContent = direction === best ? 'best' : isLegal ? lossText(top - value) : '';
    });
}

function row(direction) {
    return element(
        'li',
        {'data-direction': direction},
        element(
            'span',
            {class: 'name'},
            element('span', {class: 'arrow', 'aria-hidden': 'true'}, ARROWS[direction]),
            direction,
        ),
        element('span', {class: 'track', 'aria-hidden': 'true'}, element('span', {class: 'fill'})),
        element('span', {class: 'value'}),
        element('span', {class: 'behind'}),
    );
}

export const lossText = (loss) => (loss === 0 ? 'equal' : `−${number(loss)}`);
