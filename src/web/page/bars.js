// Four values as bars, the best marked. All moves of a board have nearly the same value, so a bar from zero would say
// nothing, and one scaled to the worst move would make a loss of 4 in 290,749 look like a blunder. So a track is always
// 2% of the best value long: the best fills it, a move that loses 1% fills half of it, one that loses 2% none.

import {element, number} from './dom.js';
import {lossGrade, lossShare, percent} from './reasons.js';
import {DIRECTIONS} from './rules.js';

const TRACK_SHARE = 0.02;

const ARROWS = {up: '↑', right: '→', down: '↓', left: '←'};

// `values` by direction, null where illegal; `best` and `chosen` are directions or null.
export function drawBars(list, values, best, chosen = null, format = number) {
    const legal = DIRECTIONS.filter((direction) => values[direction] !== null);
    const top = Math.max(...legal.map((direction) => values[direction]));
    if (list.childElementCount !== DIRECTIONS.length) list.replaceChildren(...DIRECTIONS.map(row));
    DIRECTIONS.forEach((direction, i) => {
        const value = values[direction];
        const item = list.children[i];
        const isLegal = value !== null;
        const share = isLegal ? lossShare(top - value, top) : 0;
        item.className = [
            direction === best && 'best',
            !isLegal && 'illegal',
            direction === chosen && 'chosen',
            isLegal && direction !== best && lossGrade(share),
        ]
            .filter(Boolean)
            .join(' ');
        item.title = share > 0 ? `loses ${percent(share)} of what is still to come` : '';
        item.dataset.value = isLegal ? String(value) : '';
        item.querySelector('.fill').style.setProperty(
            '--share',
            isLegal ? Math.max(0, 1 - share / TRACK_SHARE) : 0,
        );
        item.querySelector('.value').textContent = isLegal ? format(value) : 'not legal';
        item.querySelector('.behind').textContent = direction === best ? 'best' : isLegal ? lossText(top - value, format) : '';
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

const lossText = (loss, format) => (loss === 0 ? 'equal' : `−${format(loss)}`);
