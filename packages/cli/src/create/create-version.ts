import { dirname, join } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import type { ObjectExpression, Statement } from 'oxc-parser';
import { importAdded } from '../edit/import-edit.ts';
import { type BracketedList, entryAdded, entryRemoved } from '../edit/list-edit.ts';
import { edited } from '../edit/text-edit.ts';
import { fileNameOf } from '../scaffold/project-plan.ts';
import { mistakesOfVersion } from './create-api.ts';
import { classOf } from './declared-names.ts';
import { type DeclaredKind, findKind, mainVersionOf } from './find-kind.ts';
import type { ProjectEdit } from './project-edit.ts';
import { type DeclaredVersion, resourceOptions } from './project-sources.ts';
import { sampleOf } from './sample-file.ts';
import { propertyOf } from './static-value.ts';
import { versionModule } from './version-module.ts';

export interface CreateVersionOptions {
  readonly group?: string;
  readonly storage?: boolean;
  readonly served: boolean;
}

/**
 * Plans a version of a kind: a copy of its newest version with a conversion to the hub. Other versions without a conversion get one too.
 * Throws `invalid-option` and `edit-refused`.
 */
export function createVersion(edit: ProjectEdit, name: string, version: string, options: CreateVersionOptions): void {
  const { project, lists } = edit;
  const kind = findKind(project, name, options.group);
  rejectVersion(edit, kind, version, options);
  const [newest] = kind.versions;
  if (newest === undefined) throw new RangeError('a kind has at least one version');
  const hub = mainVersionOf(project, kind);
  const hasOperator = lists.operator !== undefined;
  const { module, statement, object } = declarationOf(edit, newest);
  const path = join(
    dirname(newest.path),
    `${fileNameOf(name)}-${version}${newest.path.endsWith('.mts') ? '.mts' : '.ts'}`,
  );
  const style = project.styleOf(newest.path);
  const { quote, indentation } = style;
  const conversion = [
    'conversion: {',
    `  hub: () => ${hub.name},`,
    '  // Fields with the same path are copied. Declare here how the others are converted:',
    `  // moves: { ${quote}spec.here${quote}: ${quote}spec.inTheHub${quote} },`,
    `  // keep: { spoke: [${quote}spec.onlyHere${quote}], hub: [${quote}spec.onlyInTheHub${quote}] },`,
    '  // toHub: (object, hub) => {},',
    '  // fromHub: (hub, object) => {},',
    '}',
  ].map((line) => line.replace(/^ {2}/, indentation));
  const copied = {
    module,
    statement,
    options: object,
    version: newest.version,
    newVersion: version,
    newOptions: [
      `version: ${quote}${version}${quote}`,
      `kind: ${quote}${name}${quote}`,
      ...(options.storage === true ? ['storage: true'] : []),
      ...(options.served ? [] : ['served: false']),
      ...(hasOperator ? [conversion.join('\n')] : []),
    ],
  };
  const copy = versionModule(copied, style);
  project.create(path, copy.text);
  if (hasOperator) importHub(edit, path, hub);
  setStorage(edit, kind, options.storage === true);
  lists.addFile('apis', path);
  addSample(edit, kind, version);
  if (!hasOperator) {
    edit.notices.push(
      'the project has no operator that could convert objects, so all versions must have the same fields',
    );
    return;
  }
  for (const other of kind.versions) {
    const isHub = other.path === hub.path && other.name === hub.name;
    if (!isHub && !other.hasConversion) {
      changeOptions(edit, other, (text, list, ofModule) =>
        edited(
          text,
          entryAdded(ofModule, list, `conversion: { hub: () => ${hub.name} }`, project.styleOf(other.path), {
            padding: ' ',
          }),
        ),
      );
      importHub(edit, other.path, hub);
    }
    if (!isHub) lists.addName('conversions', other.name, other.path);
  }
  lists.addName('conversions', copy.name, path);
  edit.notices.push(
    `${copy.name} has the fields of ${newest.name}; change them, and declare in conversion what differs from ${hub.name}, the hub: "evenkeel generate" reports what is missing`,
  );
  if (options.storage === true) {
    edit.notices.push(
      `controllers still reconcile ${hub.name} (${hub.version}), which is safe while the conversion keeps all fields; if you remove the conversion and declare lossy, change the controllers to ${copy.name}, the new storage version, because their writes would drop the fields that only ${copy.name} has`,
    );
  }
  const test = './src/conversion.test.ts';
  if (!lists.hasConversionTest) {
    edit.notices.push(`to test the conversion, add conversionTest: '${test}' to ${project.shown(project.configPath)}`);
  }
}

function rejectVersion(
  { project }: ProjectEdit,
  kind: DeclaredKind,
  version: string,
  options: CreateVersionOptions,
): void {
  const mistakes = [...mistakesOfVersion(version)];
  const existing = kind.versions.find((each) => each.version === version);
  if (existing !== undefined) {
    mistakes.push(
      `${kind.kind} already has the version ${version} (${project.shown(existing.path)}:${existing.line}); choose another one`,
    );
  }
  if (options.storage === true && !options.served) {
    mistakes.push('a new version that is not served cannot be the storage version; omit --storage or --no-served');
  }
  if (mistakes.length > 0) throw new EvenkeelError('invalid-option', mistakes.join('\n'));
}

interface Declaration {
  readonly module: ReturnType<ProjectEdit['project']['module']>;
  readonly statement: Statement;
  readonly object: ObjectExpression;
}

/** The class of a version with its options. Throws `edit-refused` if they are not written in the decorator. */
function declarationOf({ project }: ProjectEdit, { path, name }: DeclaredVersion): Declaration {
  const shown = project.shown(path);
  const module = project.module(path).checked(shown);
  const statement = module.program.body.find((each) => classOf(each)?.id?.name === name);
  const object = statement === undefined ? undefined : resourceOptions(module, statement);
  const isPlain = object?.properties.every(({ type }) => type === 'Property') === true;
  if (statement !== undefined && object !== undefined && isPlain) return { module, statement, object };
  throw new EvenkeelError(
    'edit-refused',
    `${shown}:${module.lineOf(statement?.start ?? 0)}: cannot edit the options of ${name}, because @CustomResource({ ... }) does not contain them as plain properties; write them there without spreads`,
  );
}

function changeOptions(
  edit: ProjectEdit,
  version: DeclaredVersion,
  change: (text: string, list: BracketedList, module: Declaration['module'], object: ObjectExpression) => string,
): void {
  const { module, object } = declarationOf(edit, version);
  const list = { start: object.start, end: object.end, entries: object.properties };
  edit.project.replace(version.path, change(module.text, list, module, object));
}

/** Exactly one version is the storage version. With several versions, it must be marked. */
function setStorage(edit: ProjectEdit, { versions }: DeclaredKind, isNewOne: boolean): void {
  const current = versions.find(({ storage }) => storage === true) ?? (versions.length === 1 ? versions[0] : undefined);
  if (current === undefined) {
    const [first] = versions;
    const place = first === undefined ? '' : `${edit.project.shown(first.path)}:${first.line}: `;
    throw new EvenkeelError('edit-refused', `${place}no version has storage: true; add it to the storage version`);
  }
  changeOptions(edit, current, (text, list, module, object) => {
    const property = propertyOf(object, 'storage');
    if (property === undefined) {
      const style = edit.project.styleOf(current.path);
      return isNewOne ? text : edited(text, entryAdded(module, list, 'storage: true', style));
    }
    return isNewOne ? edited(text, entryRemoved(module, list, object.properties.indexOf(property))) : text;
  });
}

function importHub({ project }: ProjectEdit, path: string, hub: DeclaredVersion): void {
  const module = project.module(path);
  if (path === hub.path || project.origin(path, hub.name) !== undefined) return;
  const style = project.styleOf(hub.path);
  const specifier = project.specifier(path, hub.path, project.styleOf(path));
  project.replace(path, edited(module.text, importAdded(module, hub.name, specifier, style)));
}

/** Copies a sample of another version. */
function addSample({ project, lists }: ProjectEdit, kind: DeclaredKind, version: string): void {
  const samples = lists.entries('samples').map((entry) => sampleOf(project, join(project.folder, entry), kind));
  const sample = samples.find((each) => each !== undefined);
  if (sample === undefined) return;
  const { document, object, path } = sample;
  const { metadata } = object as { readonly metadata?: { readonly name?: string } };
  document.setIn(['apiVersion'], `${kind.group}/${version}`);
  document.setIn(['metadata', 'name'], `${metadata?.name ?? fileNameOf(kind.kind)}-${version}`);
  const copy = join(dirname(path), `${fileNameOf(kind.kind)}-${version}.yaml`);
  project.create(copy, String(document).replace(/^---\n/, ''));
  lists.addFile('samples', copy);
}
