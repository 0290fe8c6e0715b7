// What yaml.v3 makes of files: see README.md.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"
	"sort"

	"gopkg.in/yaml.v3"
)

func main() {
	log.SetFlags(0)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		var value any
		if err := yaml.Unmarshal(text, &value); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintln(out, name)
		show(out, value, "")
	}
}

func show(out *bufio.Writer, value any, path string) {
	switch value := value.(type) {
	case map[string]any:
		if len(value) > 0 {
			keys := make([]string, 0, len(value))
			for key := range value {
				keys = append(keys, key)
			}
			sort.Strings(keys)
			for _, key := range keys {
				show(out, value[key], path+"/"+key)
			}
			return
		}
	case []any:
		if len(value) > 0 {
			for index, item := range value {
				show(out, item, fmt.Sprintf("%s/%d", path, index))
			}
			return
		}
	}
	fmt.Fprintf(out, "%s %s\n", path, leaf(value))
}

func leaf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(value)
	case int, int64, uint64:
		return fmt.Sprintf("i%d", value)
	case float64:
		return fmt.Sprintf("f%016x", math.Float64bits(value))
	case string:
		return "t" + value
	case []any:
		return "[]"
	case map[string]any:
		return "{}"
	default:
		return fmt.Sprintf("%T %v", value, value)
	}
}
