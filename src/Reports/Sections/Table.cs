using System.Globalization;

namespace RedisLatency.Reports.Sections;

/// <summary>A table: the first cell of each row is its head.</summary>
/// <param name="heads">What stands above the columns.</param>
public sealed class Table(params IReadOnlyList<string> heads) : SectionPart
{
    private readonly List<(string[] Cells, Extent Extent)> _rows = [];

    public IReadOnlyList<string> Heads => heads;

    /// <summary>Each has as many cells as there are heads.</summary>
    public IReadOnlyList<IReadOnlyList<string>> Rows => [.. _rows.Select(row => row.Cells)];

    /// <summary>Where its columns stand; of those that it does not name, everywhere.</summary>
    public IReadOnlyList<Extent> Columns { get; init; } = [];

    /// <summary>How far it is indented as text.</summary>
    public int Indent { get; init; } = 2;

    /// <summary>Adds a row; cells that are missing at its end stay empty.</summary>
    /// <exception cref="ArgumentException">It has more cells than the table has columns.</exception>
    public Table Add(params IEnumerable<string> cells) => Add(Extent.Both, cells);

    /// <summary>Adds a row that stands only there.</summary>
    public Table Add(Extent extent, params IEnumerable<string> cells)
    {
        string[] row = [.. cells];
        if (row.Length > heads.Count)
            throw new ArgumentException($"{row.Length} cells, but {heads.Count} columns.", nameof(cells));
        _rows.Add(([.. row, .. Enumerable.Repeat(string.Empty, heads.Count - row.Length)], extent));
        return this;
    }

    /// <summary>
    /// Adds a row of values for programs: what is null is an empty cell, and numbers have at most three decimals.
    /// </summary>
    public Table AddValues(params IEnumerable<object?> values) => Add(values.Select(TextOf));

    /// <summary>The same without columns in which nothing stands.</summary>
    public Table WithoutEmptyColumns() =>
        Select(column => _rows.Count == 0 || _rows.Exists(row => row.Cells[column].Length > 0), _ => true);

    internal override Table In(Extent extent) => Select(
        column => column >= Columns.Count || Columns[column].HasFlag(extent), row => row.HasFlag(extent));

    private static string TextOf(object? value) => value switch
    {
        bool flag => flag ? "true" : "false",
        double number => number.ToString("0.###", CultureInfo.InvariantCulture),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture) ?? string.Empty,
    };

    private Table Select(Func<int, bool> hasColumn, Func<Extent, bool> hasRow)
    {
        List<int> columns = [.. Enumerable.Range(0, heads.Count).Where(hasColumn)];
        var table = new Table([.. columns.Select(column => heads[column])])
        {
            Indent = Indent,
            Columns = [.. columns.Select(column => column < Columns.Count ? Columns[column] : Extent.Both)],
        };
        foreach (var (cells, extent) in _rows.Where(row => hasRow(row.Extent)))
            table.Add(extent, columns.Select(column => cells[column]));
        return table;
    }
}
