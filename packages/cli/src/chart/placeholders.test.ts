import { Placeholders } from './placeholders.ts';

describe('templates with placeholders', () => {
  it('have expressions where YAML has placeholders, quoted where they are whole values', () => {
    const placeholders = new Placeholders();
    const namespace = placeholders.text('$.Release.Namespace');
    const more = placeholders.lines((indent) => [`${indent}{{- with $.Values.more }}`, `${indent}{{- end }}`]);
    const yaml = `metadata:
  namespace: ${namespace}
  host: a.${namespace}.svc
  names: [ ${namespace} ]
  ${more}: null
items:
  - ${namespace}
  - name: ${namespace}
  - ${more}
text: "{{ not }} evenkeel-chart-77-value"
`;
    expect(placeholders.template(yaml)).toBe(`metadata:
  namespace: {{ $.Release.Namespace | quote }}
  host: a.{{ $.Release.Namespace }}.svc
  names: [ {{ $.Release.Namespace }} ]
  {{- with $.Values.more }}
  {{- end }}
items:
  - {{ $.Release.Namespace | quote }}
  - name: {{ $.Release.Namespace | quote }}
  {{- with $.Values.more }}
  {{- end }}
text: "{{ "{{" }} not }} evenkeel-chart-77-value"
`);
  });
});
