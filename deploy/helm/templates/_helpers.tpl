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
