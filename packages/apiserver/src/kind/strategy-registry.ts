import type { Strategy } from './strategy.ts';
import type { TablePrinter } from './table-columns.ts';

/**
 * Where the rules and columns of the built-in kinds come from: loaded when a kind is first used, so that a server pays
 * for the kinds it sees.
 */
export interface StrategyRegistry {
  /** The strategy of a built-in kind; undefined where the generic rules are all there is. */
  strategyFor(groupKind: { readonly group: string; readonly kind: string }): Strategy | undefined;
  /** The columns of a built-in kind; undefined for the default ones (name and creation time). */
  printerFor(groupKind: { readonly group: string; readonly kind: string }): TablePrinter | undefined;
}
