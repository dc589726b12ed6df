{{- define "taflhall.embedded" -}}
{{- if hasPrefix "embedded:" .Values.store }}yes{{ end }}
{{- end }}

{{- define "taflhall.folder" -}}
{{- with .Values.settings.TAFLHALL_ARCHIVE }}{{ if hasPrefix "/" . }}{{ . }}{{ end }}{{ end }}
{{- end }}

{{- define "taflhall.placed" -}}
namespace: {{ .Release.Namespace }}
labels: {app.kubernetes.io/name: taflhall}
{{- end }}

{{- define "taflhall.volume" -}}
resources:
  requests: {storage: {{ .Values.volumes.size }}}
{{- with .Values.volumes.storageClassName }}
storageClassName: {{ . }}
{{- end }}
{{- end }}

{{- /* preStop 5, the drain's delay and three times its grace, 1, and 14 to spare */}}
{{- define "taflhall.termination" -}}
{{- $grace := mulf 3 (.Values.settings.TAFLHALL_GRACE | default 5) }}
{{- add 20 (ceil (addf $grace (.Values.settings.TAFLHALL_DRAIN_DELAY | default 0))) }}
{{- end }}

{{- define "taflhall.check" -}}
{{- $durability := .Values.settings.TAFLHALL_DURABILITY }}
{{- if and (include "taflhall.embedded" .) (eq (toString $durability) "replicated") }}
{{- fail "an embedded store is on one disk: settings.TAFLHALL_DURABILITY is disk then (use single.yaml)" }}
{{- end }}
{{- with .Values.settings.TAFLHALL_ARCHIVE }}
{{- if not (regexMatch "^(/.+|(s3|gs|az|abfss?)://.+)$" (toString .)) }}
{{- fail (printf "settings.TAFLHALL_ARCHIVE is a folder from / on, or s3://, gs://, az:// or abfs://, not %v" .) }}
{{- end }}
{{- end }}
{{- if gt (int .Values.replicas.min) (int .Values.replicas.max) }}
{{- fail (printf "replicas.min is %v, which is more than replicas.max" .Values.replicas.min) }}
{{- end }}
{{- end }}
