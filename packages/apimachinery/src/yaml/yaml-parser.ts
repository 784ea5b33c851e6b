import { goSyntax } from '../go-format/go-format.ts';
import { setKey } from '../json/json-value.ts';
import { yamlPrelude } from './yaml-prelude.ts';
import { scalarOf } from './yaml-scalars.ts';
import { YamlScanner, YamlTextError, type YamlToken } from './yaml-scanner.ts';

export { YamlTextError };

/** The first document of a text. */
export interface YamlDocument {
  readonly value: unknown;
  /** The keys that a mapping has more than once, as Go reports them: `line 3: key "a" already set in map`. */
  readonly duplicates: readonly string[];
  /** The first number that JSON cannot have; undefined if there is none. */
  readonly infinite: number | undefined;
  /** The number of levels, without those of aliases. */
  readonly depth: number;
  readonly hasAliases: boolean;
}

type Mapping = Record<string, unknown>;

/** What a reference to an anchor yields; undefined while the anchored value is being read. */
interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

/** The properties of a node before its content. */
interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

interface Frame {
  readonly properties: Properties;
  readonly value: Mapping | unknown[];
  readonly line: number;
  /** Of a mapping: the key whose value follows. */
  key?: { readonly value: unknown; readonly isMerge: boolean; readonly line: number };
  /** The number of values in it, with those of aliases. */
  size: number;
}

type State = () => void;

/** As in `decode.go`: how much of a document may come from aliases. */
const [aliasRangeLow, aliasRangeHigh] = [400_000, 4_000_000];

/**
 * Reads the first document of a text, by the rules and with the error texts of `go.yaml.in/yaml/v2` (`parserc.go`, `decode.go`). It has no
 * recursion, and reads one token with each {@link step}, so that a caller can let other work run.
 */
export class YamlParser {
  readonly #scanner: YamlScanner;
  readonly #states: State[] = [];
  #state: State | undefined;
  readonly #frames: Frame[] = [];
  readonly #marks: number[] = [];
  readonly #anchors = new Map<string, Anchored | undefined>();
  readonly #duplicates: string[] = [];
  #decoded = 0;
  #aliased = 0;
  #value: unknown = null;
  #infinite: number | undefined;
  #depth = 0;

  /** @throws YamlTextError if the start of the text is invalid. */
  constructor(text: string) {
    const { skipped, skippedLines, error } = yamlPrelude(text);
    if (error !== undefined) throw new YamlTextError(`yaml: ${error}`);
    this.#scanner = new YamlScanner(text, skipped, skippedLines);
    this.#state = this.#documentStart;
  }

  /** Reads on. Returns the document if it is complete. Throws YamlTextError. */
  step(): YamlDocument | undefined {
    this.#state?.();
    if (this.#state !== undefined) return undefined;
    return {
      value: this.#value,
      duplicates: this.#duplicates,
      infinite: this.#infinite,
      depth: this.#depth,
      hasAliases: this.#aliased > 0,
    };
  }

  #fail(problem: string, line: number, contextLine = 0): never {
    const shown = line || contextLine;
    throw new YamlTextError(`yaml: ${shown === 0 ? '' : `line ${shown}: `}${problem}`);
  }

  #take(): YamlToken {
    return this.#scanner.take();
  }

  #next(): YamlToken {
    return this.#scanner.peek();
  }

  #pop(): void {
    this.#state = this.#states.pop();
  }

  readonly #documentStart = () => {
    let hasDirective = false;
    while (this.#next().kind === 'directive') {
      this.#take();
      hasDirective = true;
    }
    const { kind, line } = this.#next();
    if (kind === 'stream end' && !hasDirective) {
      this.#state = undefined;
      return;
    }
    this.#states.push(this.#documentEnd);
    if (kind !== 'document start') {
      if (hasDirective) this.#fail('did not find expected <document start>', line);
      return this.#node(true, false);
    }
    this.#take();
    const { kind: next, line: nextLine } = this.#next();
    const isEmpty = ['directive', 'document start', 'document end', 'stream end'].includes(next);
    if (isEmpty) this.#empty(nextLine);
    else this.#node(true, false);
  };

  /** The rest of the text is read only as far as Go does: to the start of the next document. */
  readonly #documentEnd = () => {
    const { kind, line } = this.#next();
    if (kind !== 'stream end' && kind !== 'document start' && kind !== 'document end' && kind !== 'directive') {
      this.#fail('did not find expected <document start>', line);
    }
    this.#state = undefined;
  };

  /** Reads a node, and then goes to the state on top of the stack. */
  #node(isBlock: boolean, allowsIndentless: boolean) {
    let token = this.#next();
    const { line } = token;
    if (token.kind === 'alias') {
      this.#take();
      this.#alias(token.text);
      return this.#pop();
    }
    let anchor: string | undefined;
    let tag: string | undefined;
    while ((token.kind === 'anchor' && anchor === undefined) || (token.kind === 'tag' && tag === undefined)) {
      if (token.kind === 'anchor') anchor = token.text;
      else tag = token.text;
      this.#take();
      token = this.#next();
    }
    const properties = { anchor, tag };
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    if (allowsIndentless && token.kind === '-') return this.#open([], properties, line, this.#indentlessEntry);
    switch (token.kind) {
      case 'scalar':
        this.#take();
        this.#scalar(token, properties);
        return this.#pop();
      case '[':
        return this.#openMarked([], properties, line, this.#firstFlowEntry);
      case '{':
        return this.#openMarked({}, properties, line, this.#firstFlowKey);
      case 'block sequence':
        if (isBlock) return this.#openMarked([], properties, line, this.#blockEntry);
        break;
      case 'block mapping':
        if (isBlock) return this.#openMarked({}, properties, line, this.#blockKey);
        break;
    }
    if (anchor === undefined && tag === undefined) this.#fail('did not find expected node content', token.line, line);
    this.#scalar({ kind: 'scalar', line, text: '', isPlain: true }, properties);
    this.#pop();
  }

  #openMarked(value: Mapping | unknown[], properties: Properties, line: number, state: State): void {
    this.#marks.push(this.#take().line);
    this.#open(value, properties, line, state);
  }

  #open(value: Mapping | unknown[], properties: Properties, line: number, state: State): void {
    this.#frames.push({ properties, value, line, size: 1 });
    this.#depth = Math.max(this.#depth, this.#frames.length);
    this.#count(1, false);
    this.#state = state;
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { properties, value, line, size } = frame;
    if (properties.anchor !== undefined) this.#anchors.set(properties.anchor, { value, size });
    this.#emit(value, line, size);
  }

  #empty(line: number): void {
    this.#scalar({ kind: 'scalar', line, text: '', isPlain: true }, { anchor: undefined, tag: undefined });
    this.#pop();
  }

  #scalar({ text, line, isPlain }: YamlToken, { anchor, tag }: Properties): void {
    const value = scalarOf(text, tag, isPlain, (message) => {
      throw new YamlTextError(`yaml: ${message}`);
    });
    if (typeof value === 'number' && !Number.isFinite(value) && !this.#expectsKey) this.#infinite ??= value;
    this.#count(1, false);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: 1 });
    this.#emit(value, line, 1, isPlain && tag === undefined && text === '<<');
  }

  /** Whether the next value is the key of a mapping. */
  get #expectsKey(): boolean {
    const frame = this.#frames.at(-1);
    return frame !== undefined && !Array.isArray(frame.value) && frame.key === undefined;
  }

  #alias(name: string): void {
    if (!this.#anchors.has(name)) throw new YamlTextError(`yaml: unknown anchor '${name}' referenced`);
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) throw new YamlTextError(`yaml: anchor '${name}' value contains itself`);
    this.#count(anchored.size, true);
    this.#emit(anchored.value, 0, anchored.size);
  }

  #count(values: number, isAlias: boolean): void {
    this.#decoded += values;
    if (isAlias) this.#aliased += values;
    if (this.#aliased <= 100 || this.#decoded <= 1000) return;
    const above = Math.min(Math.max(this.#decoded - aliasRangeLow, 0) / (aliasRangeHigh - aliasRangeLow), 1);
    if (this.#aliased / this.#decoded > 0.99 - 0.89 * above) {
      throw new YamlTextError('yaml: document contains excessive aliasing');
    }
  }

  /** Adds a complete value to what surrounds it. */
  #emit(value: unknown, line: number, size: number, isMerge = false): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#value = value;
      return;
    }
    frame.size += size;
    if (Array.isArray(frame.value)) frame.value.push(value);
    else if (frame.key === undefined) frame.key = { value, isMerge, line };
    else {
      const { key } = frame;
      delete frame.key;
      if (key.isMerge) this.#merge(frame.value, value, key.line);
      else this.#set(frame.value, key.value, value, key.line);
    }
  }

  #set(mapping: Mapping, key: unknown, value: unknown, line: number): void {
    const name = keyText(key, value);
    if (Object.hasOwn(mapping, name)) {
      this.#duplicates.push(`line ${line + 1}: key ${goSyntax(key)} already set in map`);
    }
    setKey(mapping, name, value);
  }

  /** Earlier mappings of a list have precedence. */
  #merge(mapping: Mapping, merged: unknown, line: number): void {
    const parts = Array.isArray(merged) ? merged.toReversed() : [merged];
    for (const part of parts) {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) {
        throw new YamlTextError('yaml: map merge requires map or sequence of maps as the value');
      }
      for (const [name, value] of Object.entries(part)) this.#set(mapping, name, value, line);
    }
  }

  readonly #blockEntry = () => {
    const token = this.#next();
    if (token.kind === '-') {
      this.#take();
      this.#states.push(this.#blockEntry);
      const { kind } = this.#next();
      if (kind === '-' || kind === 'block end') this.#empty(token.line);
      else this.#node(true, false);
      return;
    }
    this.#endCollection('block end', "did not find expected '-' indicator");
  };

  /** Ends a collection with a token; any other one is an error. */
  #endCollection(end: YamlToken['kind'], problem: string): void {
    const { kind, line } = this.#next();
    const start = this.#marks.pop() ?? 0;
    if (kind !== end) this.#fail(problem, line, start);
    this.#take();
    this.#close();
    this.#pop();
  }

  readonly #indentlessEntry = () => {
    const token = this.#next();
    if (token.kind !== '-') {
      this.#close();
      this.#pop();
      return;
    }
    this.#take();
    this.#states.push(this.#indentlessEntry);
    const { kind } = this.#next();
    if (kind === '-' || kind === 'key' || kind === 'value' || kind === 'block end') this.#empty(token.line);
    else this.#node(true, false);
  };

  readonly #blockKey = () => {
    const token = this.#next();
    if (token.kind !== 'key') return this.#endCollection('block end', 'did not find expected key');
    this.#take();
    this.#states.push(this.#blockValue);
    this.#blockContent(token.line);
  };

  readonly #blockValue = () => {
    const token = this.#next();
    this.#states.push(this.#blockKey);
    if (token.kind !== 'value') return this.#empty(token.line);
    this.#take();
    this.#blockContent(token.line);
  };

  #blockContent(line: number): void {
    const { kind } = this.#next();
    if (kind === 'key' || kind === 'value' || kind === 'block end') this.#empty(line);
    else this.#node(true, true);
  }

  readonly #firstFlowEntry = () => this.#flowContent();

  readonly #flowEntry = () => {
    if (this.#next().kind === ']') return this.#endFlow(']');
    this.#comma(']');
    this.#flowContent();
  };

  #flowContent() {
    const { kind, line } = this.#next();
    if (kind === ']') return this.#endFlow(']');
    if (kind !== 'key') {
      this.#states.push(this.#flowEntry);
      return this.#node(false, false);
    }
    // A mapping of one key without braces.
    this.#take();
    this.#states.push(this.#flowEntry);
    this.#open({}, { anchor: undefined, tag: undefined }, line, this.#pairKey);
  }

  readonly #pairKey = () => {
    const { kind, line } = this.#next();
    this.#states.push(this.#pairValue);
    if (kind === 'value' || kind === ',' || kind === ']') this.#empty(line);
    else this.#node(false, false);
  };

  readonly #pairValue = () => {
    this.#states.push(this.#pairEnd);
    this.#flowValueContent(']');
  };

  readonly #pairEnd = () => {
    this.#close();
    this.#pop();
  };

  readonly #firstFlowKey = () => this.#flowKeyContent();

  readonly #flowKey = () => {
    if (this.#next().kind === '}') return this.#endFlow('}');
    this.#comma('}');
    this.#flowKeyContent();
  };

  #flowKeyContent() {
    const { kind } = this.#next();
    if (kind === '}') return this.#endFlow('}');
    if (kind !== 'key') {
      this.#states.push(this.#flowEmptyValue);
      return this.#node(false, false);
    }
    this.#take();
    this.#states.push(this.#flowValue);
    const { kind: next, line } = this.#next();
    if (next === 'value' || next === ',' || next === '}') this.#empty(line);
    else this.#node(false, false);
  }

  readonly #flowEmptyValue = () => {
    this.#states.push(this.#flowKey);
    this.#empty(this.#next().line);
  };

  readonly #flowValue = () => {
    this.#states.push(this.#flowKey);
    this.#flowValueContent('}');
  };

  #flowValueContent(end: ']' | '}') {
    const { kind, line } = this.#next();
    if (kind !== 'value') return this.#empty(line);
    this.#take();
    const { kind: next } = this.#next();
    if (next === ',' || next === end) this.#empty(line);
    else this.#node(false, false);
  }

  #comma(end: ']' | '}'): void {
    const { kind, line } = this.#next();
    if (kind !== ',') this.#fail(`did not find expected ',' or '${end}'`, line, this.#marks.at(-1));
    this.#take();
  }

  #endFlow(end: ']' | '}'): void {
    this.#endCollection(end, '');
  }
}

/** The name of a member: `sigs.k8s.io/yaml` turns numbers and booleans into strings. */
function keyText(key: unknown, value: unknown): string {
  if (key === null) {
    throw new YamlTextError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);
  }
  if (typeof key === 'object') {
    throw new YamlTextError(`yaml: invalid map key: ${goSyntax(key).replaceAll('map[string]', 'map[interface {}]')}`);
  }
  if (typeof key !== 'number' || Number.isFinite(key)) return String(key);
  return Number.isNaN(key) ? '.nan' : key > 0 ? '.inf' : '-.inf';
}
