import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { AnyClass } from '../declarations/class-reference.ts';
import { resourceOf } from '../declarations/resource-of.ts';
import { EvenkeelError } from '../errors/evenkeel-error.ts';
import { type KindClass, parseApiVersion } from '../kind/api-resource.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { readConversion } from './read-conversion.ts';
import { VersionConversion } from './version-conversion.ts';

/** The versions of one kind, which are all converted through one hub. */
interface ConvertedKind {
  readonly hub: string;
  /** By version. */
  readonly spokes: Map<string, VersionConversion>;
}

/** The conversions that some classes declare, for all their kinds. */
export class KindConversions {
  readonly #kinds = new Map<string, ConvertedKind>();

  /**
   * @param classes those that declare a conversion.
   * @throws EvenkeelError `invalid-conversion` with all mistakes.
   */
  constructor(classes: readonly AnyClass[]) {
    const mistakes: string[] = [];
    for (const type of new Set(classes)) this.#add(type, (mistake) => mistakes.push(`${type.name}: ${mistake}`));
    if (mistakes.length > 0) throw new EvenkeelError('invalid-conversion', mistakes.join('\n'));
  }

  #add(type: AnyClass, report: (mistake: string) => void): void {
    const declared = declarationsOf(type).customResource;
    if (declared?.conversion === undefined) {
      report(
        'it is in "conversions" but declares no conversion; add conversion: { hub: () => TheHub } to @CustomResource, or remove it from the list',
      );
      return;
    }
    const checked = readConversion(type, (mistake) => report(`conversion: ${mistake}`));
    if (checked === undefined) return;
    const { group, kind, version } = resourceOf(type as KindClass);
    const key = kindKey(group, kind);
    const known = this.#kinds.get(key) ?? { hub: checked.hub.version, spokes: new Map<string, VersionConversion>() };
    this.#kinds.set(key, known);
    if (known.hub !== checked.hub.version) {
      report(`conversion: hub is ${checked.hub.version}, but ${known.hub} in another version of ${kind}; use one hub`);
    } else if (known.spokes.has(version)) {
      report(
        `conversion: ${known.spokes.get(version)?.spoke.type.name} declares ${version} of ${kind} too; list only one`,
      );
    } else known.spokes.set(version, new VersionConversion(checked));
  }

  /**
   * Returns an object of any version of a kind in another version. Does not change the given object, but may share parts with it.
   * Throws `conversion-failed` for an unknown kind or version, and what the functions of a class throw.
   */
  convert(object: JsonObject, desiredApiVersion: string): JsonObject {
    const { apiVersion, kind } = object;
    if (apiVersion === desiredApiVersion) return object;
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
      throw new EvenkeelError('conversion-failed', 'the object has no apiVersion and kind');
    }
    const [from, to] = [parseApiVersion(apiVersion), parseApiVersion(desiredApiVersion)];
    const known = this.#kinds.get(kindKey(from.group, kind));
    if (known === undefined || from.group !== to.group) {
      throw new EvenkeelError(
        'conversion-failed',
        `this operator does not convert ${kind} from ${apiVersion} to ${desiredApiVersion}; add the class of the version to "conversions" of defineOperator()`,
      );
    }
    const [source, target] = [from, to].map(({ version }) => {
      if (version === known.hub) return undefined;
      const spoke = known.spokes.get(version);
      if (spoke !== undefined) return spoke;
      throw new EvenkeelError(
        'conversion-failed',
        `this operator does not convert version ${version} of ${kind}; add its class to "conversions" of defineOperator()`,
      );
    });
    const hub = source === undefined ? object : source.toHub(object);
    return target === undefined ? hub : target.fromHub(hub);
  }
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`;
}
