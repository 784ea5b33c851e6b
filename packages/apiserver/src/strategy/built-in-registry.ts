import type { StrategyRegistry } from '../kind/strategy-registry.ts';
import { printerFor } from '../table/built-in-printers.ts';
import { strategyFor } from './built-in-strategies.ts';

/** The rules and columns of every built-in kind that has some of its own. */
export const builtInRegistry: StrategyRegistry = { strategyFor, printerFor };
