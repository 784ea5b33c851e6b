import { isJsonObject } from '@evenkeel/apimachinery/json';
import { didYouMean } from '@evenkeel/core';
import type { Alert, Panel } from '../config.ts';

/** The check of a member. Returns the fix if the value is invalid. */
type MemberCheck = (value: unknown) => string | undefined;

type MemberChecks<T> = {
  readonly [Member in keyof T]-?: { readonly check: MemberCheck; readonly isOptional?: boolean };
};

const text = (what: string): { readonly check: MemberCheck } => ({
  check: (value) => (typeof value === 'string' && value.trim() !== '' ? undefined : `set ${what}`),
});

/** The durations of the CRD PrometheusRule without years and weeks, which no alert needs. */
const prometheusDuration = /^(?=\d)(?:\d{1,5}d)?(?:\d{1,5}h)?(?:\d{1,5}m)?(?:\d{1,5}s)?(?:\d{1,5}ms)?$/;
const severities: readonly unknown[] = ['critical', 'warning', 'info'];

const alertChecks: MemberChecks<Alert> = {
  name: {
    check: (value) =>
      typeof value === 'string' && /^[A-Za-z]\w{0,99}$/.test(value)
        ? undefined
        : "set a name of letters and digits, such as 'NginxUnavailable'",
  },
  expr: text('an expression in PromQL'),
  for: {
    check: (value) =>
      typeof value === 'string' && prometheusDuration.test(value) ? undefined : "set a duration, such as '5m'",
    isOptional: true,
  },
  severity: {
    check: (value) => (severities.includes(value) ? undefined : `use one of ${severities.join(', ')}`),
  },
  summary: text('one line about what is wrong'),
  runbook: text('what a person should look at and do'),
  annotations: {
    check: (value) =>
      isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string')
        ? undefined
        : "set strings by their names, such as { runbook_url: 'https://example.com/runbooks' }",
    isOptional: true,
  },
};

const panelChecks: MemberChecks<Panel> = {
  title: text('a title'),
  expr: text('an expression in PromQL'),
  legend: { ...text("a name, such as '{{controller}}'"), isOptional: true },
  unit: { ...text("a unit, such as 's'"), isOptional: true },
};

/** Calls `problem` for each mistake in the option `deployment.alerts`. */
export function checkAlerts(given: unknown, problem: (text: string) => void): void {
  checkList('alerts', given, alertChecks, problem);
  const names = (Array.isArray(given) ? given : []).filter(isJsonObject).map(({ name }) => name);
  for (const name of new Set(names.filter((each, index) => names.indexOf(each) !== index))) {
    problem(`deployment.alerts has several alerts with the name ${JSON.stringify(name)}; give each a name of its own`);
  }
}

/** Calls `problem` for each mistake in the option `deployment.dashboard`. */
export function checkPanels(given: unknown, problem: (text: string) => void): void {
  checkList('dashboard', given, panelChecks, problem);
}

function checkList<T>(option: string, given: unknown, checks: MemberChecks<T>, problem: (text: string) => void): void {
  if (given === undefined || typeof given === 'boolean') return;
  if (!Array.isArray(given)) {
    problem(`deployment.${option} is ${JSON.stringify(given)}; set true, false or an array`);
    return;
  }
  const members = Object.entries<{ check: MemberCheck; isOptional?: boolean }>(checks);
  const known = members.map(([member]) => member);
  for (const [index, item] of given.entries()) {
    const place = `deployment.${option}[${index}]`;
    if (!isJsonObject(item)) {
      problem(`${place} is ${JSON.stringify(item)}; set an object with ${known.join(', ')}`);
      continue;
    }
    for (const member of Object.keys(item).filter((each) => !known.includes(each))) {
      problem(`${place} has the unknown member "${member}"${didYouMean(member, known) || `; use ${known.join(', ')}`}`);
    }
    for (const [member, { check, isOptional = false }] of members) {
      const value = item[member];
      if (value === undefined && isOptional) continue;
      const fix = check(value);
      if (fix !== undefined)
        problem(`${place}.${member} is ${value === undefined ? 'missing' : JSON.stringify(value)}; ${fix}`);
    }
  }
}
