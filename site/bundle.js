// The page's modules as one script: browsers load no modules from a file on disk. It understands the few forms of
// import and export that the page uses and refuses all others.

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const IMPORT = /^import \{([^}]*)\} from '\.\/([\w.]+)';$/gm;
const EXPORT = /^export (async function|function|class|const) (\w+)/gm;
const variable = (file) => `module_${file.replaceAll(/\W/g, '_')}`;

// One script with the modules of `folder` that `entry` needs, each in a function of its own, those it imports first.
export function bundle(folder, entry) {
    const done = new Map(); // file -> text; null while it is being read
    const parts = [];
    const add = (file) => {
        if (done.get(file) === null) throw new Error(`${file} imports itself in a circle`);
        if (done.has(file)) return;
        done.set(file, null);
        let text = readFileSync(join(folder, file), 'utf8');
        text = text.replaceAll(IMPORT, (_, names, from) => {
            add(from);
            return `const {${names.replaceAll(/ as /g, ': ')}} = ${variable(from)};`;
        });
        const names = [...text.matchAll(EXPORT)].map((match) => match[2]);
        text = text.replaceAll(EXPORT, '$1 $2');
        const left = text.match(/^(import|export)\b.*$/m);
        if (left) throw new Error(`${file}: cannot bundle '${left[0]}'`);
        parts.push(`const ${variable(file)} = (() => {\n${text}\nreturn {${names.join(', ')}};\n})();`);
        done.set(file, text);
    };
    add(entry);
    return `(() => {\n'use strict';\n${parts.join('\n')}\n})();`;
}
