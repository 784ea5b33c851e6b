import { type OlmFinding, olmChecks } from './finding.ts';

/** A log in the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0), which code hosts show next to the files. */
export interface SarifLog {
  readonly version: '2.1.0';
  readonly $schema: string;
  readonly runs: readonly object[];
}

/** @param toolVersion the version of Evenkeel. */
export function sarifLog(findings: readonly OlmFinding[], toolVersion: string): SarifLog {
  const rules = [...new Set(findings.map(({ check }) => check))].map((id) => ({
    id,
    shortDescription: { text: olmChecks[id].finds },
    defaultConfiguration: { level: olmChecks[id].level },
  }));
  const results = findings.map(({ check, level, file, line, field, message }) => ({
    ruleId: check,
    level,
    message: { text: field === undefined ? message : `${field}: ${message}` },
    ...(file === undefined
      ? {}
      : {
          locations: [
            { physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: line ?? 1 } } },
          ],
        }),
  }));
  return {
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [{ tool: { driver: { name: 'evenkeel', version: toolVersion, rules } }, results }],
  };
}
