package taflhall

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestWhatIsExportedIsDocumented finds what go doc would show without a comment.
func TestWhatIsExportedIsDocumented(t *testing.T) {
	files := token.NewFileSet()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, entry.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	shown, err := doc.NewFromFiles(files, parsed, "taflhall.org/go")
	if err != nil {
		t.Fatal(err)
	}
	need := func(name, comment string) {
		if comment == "" {
			t.Errorf("%s has no comment", name)
		}
	}
	functions := shown.Funcs
	values := append(shown.Consts, shown.Vars...)
	for _, kind := range shown.Types {
		need(kind.Name, kind.Doc)
		functions = append(functions, append(kind.Funcs, kind.Methods...)...)
		values = append(values, append(kind.Consts, kind.Vars...)...)
	}
	for _, function := range functions {
		need(function.Name, function.Doc)
	}
	for _, value := range values {
		need(value.Names[0], value.Doc)
	}
	need("the package", shown.Doc)
}
