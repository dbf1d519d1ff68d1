// The Learn view: the runs below --runs, their curves laid over one another. While it is shown it asks for new rows
// every two seconds, only for the runs that are ticked, and only for rows it does not have.

import {ApiError, ask, server} from './api.js';
import {Chart, N_SERIES_COLOURS} from './chart.js';
import {byId, element, recipeNumber, shortNumber, store} from './dom.js';
import {isSite} from './site.js';

const POLL_MS = 2000,
    CHOSEN_AT_FIRST = 3;
const X_COLUMNS = ['actions', 'games', 'seconds'];
const NAMES = {
    actions: 'training moves',
    games: 'training games',
    seconds: 'training seconds',
    moves_per_second: 'moves per second',
    training_mean: 'score while training',
    eval_mean: 'average score',
    eval3_mean: 'average score at 3 plies',
    touched: 'share of weights touched',
};
const columnName = (column) => NAMES[column] ?? column.replace(/^tile_(\d+)$/, 'reached $1');

export class LearnView {
    #chart = new Chart(byId('learn-chart'));
    #runs = []; // of /api/runs
    #curves = new Map(); // name -> {rows, columns}
    #chosen = null; // names; null until the first list
    #emptied = new Set(); // boards of which the person wants no run
    #colours = new Map();
    #column = store.get('learn.column', 'eval_mean');
    #x = store.get('learn.x', 'actions');
    #board = store.get('learn.board', null); // runs of different boards have nothing to compare
    #timer = 0;
    #drawn = ''; // what the chart shows
    #isShown = false;
    #isPolling = false;
    #wanted = false;

    constructor() {
        byId('learn-column').addEventListener('change', (event) => {
            this.#column = event.target.value;
            store.set('learn.column', this.#column);
            this.#draw();
        });
        byId('learn-x').addEventListener('change', (event) => {
            this.#x = event.target.value;
            store.set('learn.x', this.#x);
            this.#draw();
        });
        byId('learn-board').addEventListener('change', (event) => {
            this.#board = event.target.value;
            store.set('learn.board', this.#board);
            this.#poll();
        });
        server.addEventListener('change', () => this.#isShown && this.#poll());
    }

    show() {
        this.#isShown = true;
        this.#poll();
    }

    hide() {
        this.#isShown = false;
        clearTimeout(this.#timer);
    }

    key() {
        return false;
    }

    // One round at a time: two would take the same rows twice. Who asks meanwhile gets another round.
    async #poll() {
        this.#wanted = true;
        if (this.#isPolling) return;
        this.#isPolling = true;
        clearTimeout(this.#timer);
        while (this.#wanted) {
            this.#wanted = false;
            try {
                if (!server.gone) await this.#fetch();
            } catch (error) {
                if (!(error instanceof ApiError)) throw error;
                if (error.status !== 0) this.#empty(error.message);
            }
        }
        this.#isPolling = false;
        if (this.#isShown) this.#timer = setTimeout(() => this.#poll(), POLL_MS);
    }

    async #fetch() {
        const {runs} = await ask('/api/runs');
        const boards = [...new Set(runs.map(boardOf))].sort();
        if (!boards.includes(this.#board)) this.#board = boards[0] ?? null;
        fill(byId('learn-board'), boards, this.#board, (board) => board);
        this.#runs = runs.filter((run) => boardOf(run) === this.#board);
        const names = runs.map((run) => run.name);
        if (this.#chosen === null && names.length > 0)
            this.#chosen = new Set(store.get('learn.chosen', []).filter((name) => names.includes(name)));
        const here = this.#runs.map((run) => run.name);
        if (here.length > 0 && !here.some((name) => this.#chosen.has(name)) && !this.#emptied.has(this.#board))
            for (const name of here.slice(0, CHOSEN_AT_FIRST)) this.#chosen.add(name);
        for (const run of this.#runs.filter(({name}) => this.#chosen.has(name))) await this.#follow(run);
        this.#draw();
    }

    async #follow({name, rows}) {
        let curve = this.#curves.get(name);
        if (!curve || curve.rows > rows)
            // a run that went back to a checkpoint has fewer rows: begin anew
            this.#curves.set(name, (curve = {rows: 0, columns: {}}));
        while (curve.rows < rows) {
            const more = await ask(`/api/runs/${encodeURIComponent(name)}`, {from: curve.rows});
            const lists = Object.entries(more.columns);
            const n = lists[0]?.[1].length ?? 0;
            if (n === 0 || more.rows < curve.rows) return;
            for (const [column, values] of lists) curve.columns[column] = [...(curve.columns[column] ?? []), ...values];
            curve.rows += n;
        }
    }

    // What is shown in place of curves: texts and elements.
    #empty(...content) {
        byId('learn-empty').replaceChildren(...content);
        this.#setEmpty(true);
    }

    #setEmpty(isEmpty) {
        byId('learn-empty').hidden = !isEmpty;
        byId('learn-body').hidden = byId('learn-tools').hidden = isEmpty;
    }

    #draw() {
        if (this.#runs.length === 0) {
            this.#empty(...nothingYet());
            return;
        }
        this.#setEmpty(false);
        const shown = this.#runs.filter(({name}) => this.#chosen.has(name) && this.#curves.has(name));
        this.#drawChoices(shown);
        this.#drawRuns();
        const title = columnName(this.#column);
        const drawn = JSON.stringify([
            this.#x,
            this.#column,
            this.#board,
            shown.map(({name}) => [name, this.#curves.get(name).rows]),
        ]);
        if (drawn === this.#drawn) return; // nothing new: leave the chart to the one who points at it
        this.#drawn = drawn;
        byId('learn-chart-title').textContent = title[0].toUpperCase() + title.slice(1);
        this.#chart.show({
            xLabel: columnName(this.#x),
            yLabel: title,
            label: `${title} of ${shown.map(runTitle).join(', ')}`,
            series: shown.map((run) => {
                const {name} = run;
                const {columns} = this.#curves.get(name);
                const spread = this.#column.endsWith('_mean')
                    ? columns[this.#column.replace('_mean', '_ci95')]
                    : undefined;
                return {
                    name: runTitle(run),
                    x: columns[this.#x] ?? [],
                    y: columns[this.#column] ?? [],
                    spread,
                    colour: this.#colour(name),
                };
            }),
        });
    }

    // A run keeps its colour while the page lives.
    #colour(name) {
        if (!this.#colours.has(name)) this.#colours.set(name, (this.#colours.size % N_SERIES_COLOURS) + 1);
        return this.#colours.get(name);
    }

    #drawChoices(shown) {
        const known = new Set(
            shown.flatMap(({name}) => {
                const {columns} = this.#curves.get(name);
                return Object.keys(columns).filter((column) => columns[column].some((value) => value !== null));
            }),
        );
        const columns = [...known].filter((column) => !column.endsWith('_ci95') && !X_COLUMNS.includes(column));
        if (columns.length > 0 && !columns.includes(this.#column))
            this.#column = columns.includes('eval_mean') ? 'eval_mean' : columns[0];
        fill(byId('learn-column'), columns, this.#column);
        fill(byId('learn-x'), X_COLUMNS, this.#x);
    }

    #drawRuns() {
        byId('learn-value-head').textContent = columnName(this.#column);
        const list = byId('learn-runs');
        if (
            list.childElementCount !== this.#runs.length ||
            this.#runs.some(({name}, i) => list.children[i].dataset.name !== name)
        )
            list.replaceChildren(...this.#runs.map((run) => this.#row(run)));
        this.#runs.forEach((run, i) => {
            const row = list.children[i],
                isChosen = this.#chosen.has(run.name);
            row.querySelector('input').checked = isChosen;
            row.querySelector('.swatch').className = isChosen ? `swatch series-${this.#colour(run.name)}` : 'swatch';
            row.cells[1].textContent = run.last?.actions ? shortNumber(run.last.actions) : '–';
            row.cells[2].textContent = Number.isFinite(run.last?.[this.#column])
                ? shortNumber(run.last[this.#column])
                : '–';
        });
    }

    #row(run) {
        const input = element('input', {type: 'checkbox'});
        input.addEventListener('change', () => {
            this.#chosen[input.checked ? 'add' : 'delete'](run.name);
            if (!input.checked) this.#emptied.add(this.#board);
            store.set('learn.chosen', [...this.#chosen]);
            this.#poll();
        });
        const {rule, actions} = run.recipe ?? {};
        const about = [
            rule && `rule ${rule}`,
            actions && `planned for ${shortNumber(recipeNumber(actions))} moves`,
        ]
            .filter(Boolean)
            .join(', ');
        return element(
            'tr',
            {'data-name': run.name},
            element(
                'td',
                {},
                element(
                    'label',
                    {},
                    input,
                    element('span', {class: 'swatch'}),
                    element('span', {}, runTitle(run), element('span', {class: 'about'}, about)),
                ),
            ),
            element('td'),
            element('td'),
        );
    }
}

const code = (text) => element('code', {}, text);

// Why there are no runs.
function nothingYet() {
    if (!isSite && (!server.health || server.health.runs))
        return [
            'No runs yet. A training in a folder below --runs appears here: ',
            code('afterstate train RECIPE --out DIR/NAME'),
        ];
    return [
        isSite ? 'Learning curves need a server: ' : 'This server was started without runs: ',
        code('afterstate serve --runs DIR'),
        ' shows what ',
        code('afterstate train'),
        ' made below DIR.',
    ];
}

const boardOf = (run) => run.recipe?.board ?? 'unknown board';

// The folder's name says what the person called it; board and network say what it is.
const runTitle = (run) => [run.name, run.recipe?.board, run.recipe?.network].filter(Boolean).join(' · ');

function fill(select, columns, chosen, nameOf = columnName) {
    if (Array.from(select.options, (option) => option.value).join() !== columns.join())
        select.replaceChildren(...columns.map((column) => element('option', {value: column}, nameOf(column))));
    select.value = chosen;
}
