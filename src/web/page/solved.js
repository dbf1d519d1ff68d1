// The Solved boards view: what a table knows, and its figures age by age. The server works the figures out when first
// asked, so the view asks again until they are there.

import {ApiError, Latest, ask, server, sleep} from './api.js';
import {Chart} from './chart.js';
import {byId, element, number} from './dom.js';
import {Practice, goalOf} from './practice.js';

const ASK_AGAIN_MS = 500;

// The charts: title, columns with their names, logarithmic or not; `chance` names the numbers of a table with a goal.
const CHARTS = [
    {
        title: 'How many boards there are',
        log: true,
        columns: {states: 'states', afterstates: 'afterstates', terminal_states: 'ends'},
    },
    {
        title: 'The best value of an afterstate',
        columns: {best_value: 'points still to come'},
        chance: 'chance that the tile is made',
    },
    {title: 'Share of afterstates that end the game', columns: {terminal_share: 'share'}},
    {title: 'Empty cells of an afterstate, on average', columns: {mean_empty: 'empty cells'}},
    {title: 'What the second-best move loses, on average', columns: {mean_gap: 'points'}, chance: 'chance'},
    {title: 'Share of states where it loses less than a point', columns: {alternative_share: 'share'}},
];

const USUAL_FOUR_CHANCE = 0.1;

export class SolvedView {
    #latest = new Latest();
    #table = null;
    #charts = [];
    #practice = new Practice();

    constructor(play) {
        byId('solved-table').addEventListener('change', (event) => this.#open(event.target.value));
        byId('solved-play').addEventListener('click', () => play(this.#table.rows, this.#table.cols));
        server.addEventListener('change', () => !byId('view-solved').hidden && this.show());
    }

    async show() {
        if (server.gone) return;
        try {
            const {tables} = await ask('/api/tables');
            const chosen = tables.some(({id}) => id === this.#table?.id) ? this.#table.id : tables[0]?.id;
            byId('solved-table').replaceChildren(
                ...tables.map(({id}) => element('option', {value: id, selected: id === chosen}, id)),
            );
            byId('solved-table').disabled = byId('solved-play').disabled = tables.length === 0;
            if (tables.length === 0)
                this.#empty(
                    'This server was given no table. Make one (afterstate solve 3x3 --out tables/3x3), then serve it with --table.',
                );
            else await this.#open(chosen);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.status !== 0) this.#empty(error.message);
        }
    }

    hide() {
        this.#latest.abort();
    }

    key(event) {
        return this.#practice.key(event);
    }

    #empty(text) {
        byId('solved-empty').textContent = text;
        byId('solved-empty').hidden = false;
        byId('solved-body').hidden = true;
    }

    async #open(id) {
        byId('solved-empty').hidden = true;
        byId('solved-body').hidden = false;
        try {
            await this.#latest.run(async (signal) => {
                this.#table = await ask(`/api/table/${encodeURIComponent(id)}`, {}, signal);
                this.#drawFacts();
                byId('solved-play').hidden = Boolean(this.#table.walls);
                this.#practice.open(this.#table);
                for (;;) {
                    const ages = await ask(`/api/table/${encodeURIComponent(id)}/ages`, {}, signal);
                    byId('solved-wait').hidden = ages.ready;
                    if (ages.ready) return this.#drawCharts(ages.columns);
                    byId('solved-wait').textContent =
                        `The server works out the figures of each age: ${Math.round(100 * (ages.done ?? 0))}% done.`;
                    await sleep(ASK_AGAIN_MS, signal);
                }
            });
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            byId('solved-wait').textContent = error.message;
            byId('solved-wait').hidden = false;
            byId('solved-charts').replaceChildren();
            this.#charts = [];
        }
    }

    #drawFacts() {
        const table = this.#table;
        const starts = table.start_values ?? [];
        const goal = goalOf(table);
        const facts = [
            ['Board', `${table.rows}x${table.cols}${table.variant === 'normal' ? '' : `, ${table.variant}`}`],
            [`${goal ? `Chance of a ${goal}` : 'Expected score'}, played perfectly`, number(table.expected_score)],
            ...(table.four_chance === USUAL_FOUR_CHANCE
                ? []
                : [['Chance that a new tile is a 4', number(table.four_chance)]]),
            ['States', number(table.states)],
            ['of them ends', number(table.terminal_states)],
            ['Afterstates', number(table.afterstates)],
            ['Ages', number(table.ages)],
            ...(table.walls
                ? [
                      ['Locked cells', `${table.layout ?? ''} ${table.walls.join(' ')}`.trim()],
                      ['Starts', number(table.starts)],
                      ['Chance from the best start', number(table.best_start)],
                  ]
                : ['from 2 and 2', 'from 2 and 4', 'from 4 and 4'].map((name, i) => [
                      `${goal ? 'Chance' : 'Value'} ${name}`,
                      number(starts[i]),
                  ])),
        ];
        byId('solved-facts').replaceChildren(
            ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
        );
    }

    #drawCharts(columns) {
        const drawn = CHARTS.filter((chart) =>
            Object.keys(chart.columns).some((column) => columns[column]?.some((value) => value !== null)),
        );
        const cards = drawn.map(() => element('div'));
        byId('solved-charts').replaceChildren(
            ...drawn.map(({title}, i) => element('div', {class: 'card'}, element('h2', {}, title), cards[i])),
        );
        const isChance = goalOf(this.#table) !== undefined;
        this.#charts = drawn.map(({title, log, columns: names, chance}, i) => {
            const chart = new Chart(cards[i]);
            chart.show({
                log: log ?? false,
                xLabel: 'age',
                yLabel: title,
                label: `${title}, by age`,
                series: Object.entries(names)
                    .filter(([column]) => columns[column])
                    .map(([column, name]) => ({
                        name: (isChance && chance) || name,
                        x: columns.age,
                        y: columns[column],
                    })),
            });
            return chart;
        });
    }
}
