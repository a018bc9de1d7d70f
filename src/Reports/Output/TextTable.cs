namespace RedisLatency.Reports.Output;

/// <summary>
/// A plain table: the first column to the left, the others to the right, two spaces between. Where it would be wider
/// than the page, the columns that do not fit follow in a further block that repeats the first one; nothing is cut.
/// </summary>
public sealed class TextTable
{
    private const int Gap = 2;

    private readonly List<string[]> _rows = [];

    public TextTable(params string[] heads) => _rows.Add(heads);

    public int Indent { get; init; } = 2;

    /// <summary>Adds a row; cells that are missing at its end stay empty.</summary>
    /// <exception cref="ArgumentException">It has more cells than the table has columns.</exception>
    public TextTable Add(params string[] cells)
    {
        if (cells.Length > _rows[0].Length)
            throw new ArgumentException($"{cells.Length} cells, but {_rows[0].Length} columns.", nameof(cells));
        _rows.Add(cells);
        return this;
    }

    public void WriteTo(TextWriter writer)
    {
        var pageWidth = writer.PageWidth();
        var widths = Enumerable.Range(0, _rows[0].Length)
            .Select(column => _rows.Max(row => Cell(row, column).Length))
            .ToArray();
        for (var from = 1; from == 1 || from < widths.Length;)
        {
            var until = from;
            var width = Indent + widths[0];
            while (until < widths.Length && (until == from || width + Gap + widths[until] <= pageWidth))
                width += Gap + widths[until++];
            if (from > 1)
                writer.WriteLine();
            foreach (var row in _rows)
                writer.WriteLine(Line(row, widths, from, until));
            from = Math.Max(until, from + 1);
        }
    }

    private string Line(string[] row, int[] widths, int from, int until)
    {
        var line = new string(' ', Indent) + Cell(row, 0).PadRight(widths[0]);
        for (var column = from; column < until; column++)
            line += new string(' ', Gap) + Cell(row, column).PadLeft(widths[column]);
        return line.TrimEnd();
    }

    private static string Cell(string[] row, int column) => column < row.Length ? row[column] : string.Empty;
}
