import {
  type AnyClass,
  type ClassProvider,
  type ConcreteClass,
  describeValue,
  didYouMean,
  EvenkeelError,
  type FactoryProvider,
  type InversifyModule,
  isInversifyModule,
  isProvider,
  nameOfProvider,
  nameOfService,
  type Provider,
  type ServiceEntry,
} from '@evenkeel/core';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { Provision, ServiceKey } from './injection.ts';
import { providedClasses } from './provided-classes.ts';

/** The services of a manager, without the modules' own. */
export interface Services {
  readonly provisions: ReadonlyMap<ServiceKey, Provision>;
  /** The providers of `services` and `overrides`, by what they provide. An override replaces the service's own. */
  readonly providers: ReadonlyMap<ServiceKey, Provider>;
  /** What `overrides` provides. */
  readonly overridden: ReadonlySet<ServiceKey>;
  readonly modules: readonly InversifyModule[];
}

/**
 * Reads the options `services` and `overrides`. A class in the list provides itself, unless a provider in the list provides it.
 * Adds the mistakes of providers to `mistakes`.
 */
export function readServices(
  services: readonly ServiceEntry[],
  overrides: readonly Provider[],
  mistakes: EvenkeelError[],
): Services {
  const own = readProviders(services.filter(isProvider), mistakes);
  const replacing = readProviders(overrides, mistakes);
  const providers = new Map([...own, ...replacing]);
  const provisions = new Map<ServiceKey, Provision>();
  for (const entry of services) {
    if (typeof entry === 'function' && !providers.has(entry)) {
      provisions.set(entry, { as: 'class', target: entry, scope: 'singleton' });
    }
  }
  const scoped = new Map<ConcreteClass, ClassProvider>();
  for (const [key, provider] of providers) {
    if (!('useClass' in provider)) provisions.set(key, provisionOf(provider));
    else {
      const { useClass: target, scope = 'singleton' } = provider;
      if (target !== key) provisions.set(key, { as: 'alias', target });
      if (target !== key && providers.has(target)) continue;
      provisions.set(target, { as: 'class', target, scope });
      const other = scoped.get(target);
      scoped.set(target, provider);
      if (other === undefined || (other.scope ?? 'singleton') === scope) continue;
      const problem = `gives ${target.name} the scope "${scope}", but ${nameOfProvider(other)} gives it the scope "${other.scope ?? 'singleton'}"; use one scope, or two classes`;
      mistakes.push(new EvenkeelError('duplicate-provider', `${nameOfProvider(provider)} ${problem}`));
    }
  }
  return {
    provisions,
    providers,
    overridden: new Set(replacing.keys()),
    modules: services.filter(isInversifyModule),
  };
}

/**
 * Reports overrides that replace nothing, and services that a provider and a module of inversify both provide.
 *
 * @param isBound whether a module binds it.
 */
export function checkProvided(
  services: readonly ServiceEntry[],
  { providers, overridden }: Services,
  isBound: (key: ServiceKey) => boolean,
  mistakes: EvenkeelError[],
): void {
  const listed = new Set<unknown>(services);
  for (const entry of services) {
    if (!isProvider(entry)) continue;
    listed.add(entry.provide);
    if ('useClass' in entry) listed.add(entry.useClass);
  }
  for (const [key, provider] of providers) {
    if (!overridden.has(key)) {
      if (!isBound(key)) continue;
      const problem = 'an inversify module in `services` binds it too; remove one of them';
      mistakes.push(new EvenkeelError('duplicate-provider', `${nameOfProvider(provider)}: ${problem}`));
    } else if (!listed.has(key) && !isBound(key)) {
      const problem = `nothing in \`services\` provides ${nameOfService(key)}, so there is nothing to replace; override the class or token that a constructor asks for, or remove the override`;
      mistakes.push(new EvenkeelError('unknown-override', `overrides: ${nameOfProvider(provider)}: ${problem}`));
    }
  }
}

/** Returns the services without the classes that a module of inversify binds, because its binding replaces a listed class. */
export function withoutBoundClasses(services: Services, isBound: (key: ServiceKey) => boolean): Services {
  const isKept = (key: ServiceKey, { as }: Provision) => as !== 'class' || services.providers.has(key) || !isBound(key);
  return { ...services, provisions: new Map([...services.provisions].filter((entry) => isKept(...entry))) };
}

function provisionOf(provider: Exclude<Provider, ClassProvider>): Provision {
  if ('useValue' in provider) return { as: 'value', value: provider.useValue };
  return { as: 'factory', provider, scope: provider.scope ?? 'singleton' };
}

function readProviders(entries: readonly Provider[], mistakes: EvenkeelError[]): Map<ServiceKey, Provider> {
  const providers = new Map<ServiceKey, Provider>();
  for (const provider of entries) {
    const name = nameOfProvider(provider);
    const problems = problemsOf(provider);
    mistakes.push(...problems.map((problem) => new EvenkeelError('invalid-provider', `${name}: ${problem}`)));
    if (problems.length > 0) continue;
    const key = provider.provide as ServiceKey;
    const other = providers.get(key);
    if (other !== undefined) {
      const problem = `${nameOfProvider(other)} provides it too; remove one of them`;
      mistakes.push(new EvenkeelError('duplicate-provider', `${name}: ${problem}`));
    } else if (providedClasses.has(key as AnyClass) || key === ReconcileContext) {
      const problem = `the manager itself provides ${nameOfService(key)}; remove the provider, and use the options of the manager, such as \`clock\` or \`logger\``;
      mistakes.push(new EvenkeelError('duplicate-provider', `${name}: ${problem}`));
    }
    providers.set(key, provider);
  }
  return providers;
}

const ways = ['useClass', 'useValue', 'useFactory'] as const;
const options = ['provide', ...ways, 'inject', 'scope', 'dispose'] as const;
const scopes: readonly unknown[] = [undefined, 'singleton', 'run'];

/** The mistakes of one provider, which may come from a program without type checks. */
function problemsOf(provider: Provider): string[] {
  const given = provider as unknown as Readonly<Record<string, unknown>>;
  const { provide, useClass, scope } = given;
  const problems = Object.keys(given)
    .filter((name) => !(options as readonly string[]).includes(name))
    .map((name) => `unknown option "${name}"${didYouMean(name, [...options]) || `; use one of ${options.join(', ')}`}`);
  if (provide === undefined) problems.push(`"provide" is ${isUndefined}`);
  else if (!isClass(provide) && typeof provide !== 'symbol') {
    problems.push(`"provide" is ${shown(provide)}; pass a class, or a token from token()`);
  }
  const [way, ...others] = ways.filter((name) => name in given);
  if (way === undefined) problems.push('it does not say how; add useClass, useValue or useFactory');
  if (others.length > 0) problems.push(`it has ${[way, ...others].join(' and ')}; keep one of them`);
  if (way === 'useClass' && !isClass(useClass)) {
    problems.push(
      useClass === undefined
        ? `"useClass" is ${isUndefined}`
        : `"useClass" is ${describeValue(useClass)}; pass the class itself`,
    );
  }
  if (way === 'useFactory') problems.push(...factoryProblems(provider as FactoryProvider));
  else {
    for (const name of ['inject', 'dispose']) {
      if (name in given) problems.push(`"${name}" has no effect without useFactory; remove it`);
    }
  }
  if (!scopes.includes(scope)) problems.push(`"scope" is ${shown(scope)}; use "singleton" or "run"`);
  if (scope === 'run' && way === 'useValue') {
    problems.push('a value cannot have the scope "run"; write useFactory, which is called in each run');
  }
  return problems;
}

function factoryProblems({ useFactory, inject = [], dispose }: FactoryProvider): string[] {
  if (typeof useFactory !== 'function') {
    return [`"useFactory" is ${describeValue(useFactory)}; pass a function that returns the value`];
  }
  if (isDeclaredClass(useFactory)) return ['"useFactory" is a class; write useClass'];
  if (!Array.isArray(inject)) {
    return [`"inject" is ${describeValue(inject)}; pass a list of classes, tokens and listers`];
  }
  const problems: string[] = [];
  if (useFactory.length > inject.length) {
    problems.push(
      `useFactory has ${useFactory.length} parameters, but "inject" lists ${inject.length}; list a class or token for each`,
    );
  }
  if (dispose !== undefined && typeof dispose !== 'function') {
    problems.push(`"dispose" is ${describeValue(dispose)}; pass a function that ends the value`);
  }
  return problems;
}

/** Strings here are names, never values. */
function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describeValue(value);
}

const isUndefined =
  'undefined, because an import cycle used it before it was defined; move the class or token to its own module';

export function isClass(value: unknown): value is AnyClass {
  return typeof value === 'function' && value.prototype !== undefined;
}

/** Unlike {@link isClass}, excludes plain functions, which have a prototype too. */
function isDeclaredClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}
