#!/usr/bin/env bash
# Makes picture.svg from first-ten-minutes.md, the answer of a run against a server as a terminal shows it:
# docs/picture.sh >docs/picture.svg
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

LC_ALL=C.UTF-8 awk '
    function escaped(text) {
        gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
        return text
    }
    /^```/ { shown = 0 }
    /^\$ redis-latency producer localhost:6379 --consumer/ { shown = 1 }
    shown { lines[++count] = $0 }
    END {
        step = 18; width = 84 * 8.43 + 48; height = count * step + 68
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
            width, height, "What redis-latency producer prints: a verdict, percentiles, one-way latency, a histogram"
        print "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;" \
            "fill:#d6deeb;white-space:pre}.typed{fill:#82aaff}.valid{fill:#7fdb8f}.doubtful{fill:#ffcb6b}" \
            ".bad{fill:#ff7b72}.head{font-weight:bold}</style>"
        printf "<rect width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#0b1622\"/>\n", width, height
        split("#ff5f57 #febc2e #28c840", lights, " ")
        for (i = 1; i <= 3; i++)
            printf "<circle cx=\"%d\" cy=\"22\" r=\"6\" fill=\"%s\"/>\n", 6 + i * 20, lights[i]
        for (i = 1; i <= count; i++) {
            if (lines[i] == "") continue
            class = i == 1 ? "typed" : lines[i] ~ /^VALID/ ? "valid" : lines[i] ~ /^DOUBTFUL/ ? "doubtful" \
                : lines[i] ~ /^NOT VALID/ ? "bad" : lines[i] ~ /^[A-Z][A-Z ]+,/ ? "head" : ""
            printf "<text x=\"24\" y=\"%d\"%s xml:space=\"preserve\">%s</text>\n", 44 + i * step,
                class == "" ? "" : " class=\"" class "\"", escaped(lines[i])
        }
        print "</svg>"
    }' first-ten-minutes.md
