using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Page;

/// <summary>What a chart shows; its data are a table as well.</summary>
public sealed record Chart(string Title, ChartAxis X, ChartAxis Y, IReadOnlyList<ChartLine> Lines)
{
    /// <summary>Those in which anything is known.</summary>
    public IReadOnlyList<ChartLine> Lines { get; init; } = [.. Lines.Where(line => line.HasPoints)];

    /// <summary>How to read it, a sentence or two.</summary>
    public required string Note { get; init; }

    /// <summary>What the first column of its table is called.</summary>
    public required string XName { get; init; }

    /// <summary>How values of that are written in the table.</summary>
    public required Func<double, string> XText { get; init; }

    /// <summary>What is written below the chart.</summary>
    public required string XTitle { get; init; }

    /// <summary>What is written above its axis of values.</summary>
    public string YTitle { get; init; } = string.Empty;

    /// <summary>What values are in; null where they are durations, which share a unit.</summary>
    public string? Unit { get; init; }

    /// <summary>The lines that are not seen until somebody ticks their boxes.</summary>
    public IReadOnlySet<string> Hidden { get; init; } = new HashSet<string>();

    /// <summary>What happened meanwhile.</summary>
    public IReadOnlyList<ChartMark> Marks { get; init; } = [];

    /// <summary>Whether it names them, too; one chart of several does.</summary>
    public bool NamesMarks { get; init; }

    /// <summary>Whether there is anything in it to see.</summary>
    public bool HasPoints => Lines.Count > 0;

    /// <summary>Where each row of the table lies, in thousandths of the width.</summary>
    public IReadOnlyList<double> Columns =>
        [.. Lines.SelectMany(line => line.Points.Where(point => point.Y is not null)).Select(point => point.X)
            .Distinct().Order()];

    /// <summary>The data as a table.</summary>
    public Section Numbers
    {
        get
        {
            var known = Lines.SelectMany(line => line.Known).ToList();
            var unit = Quantity.UnitFor([.. known.Select(value => (long)Math.Abs(value)).Where(value => value > 0)]);
            var head = Unit is null ? $", {Quantity.Symbol(unit)}" : Unit.Length > 0 ? $", {Unit}" : string.Empty;
            var table = new Table([XName, .. Lines.Select(line => line.Name + head)]);
            foreach (var x in Columns)
                table.Add([XText(x), .. Lines.Select(line => Text(line.At(x)))]);
            return new Section($"{Title}, in numbers").Add(table);

            string Text((double? Least, double Most)? value) => value is not var (least, most) ? string.Empty
                : least is { } known && Number(known) != Number(most) ? $"{Number(known)}..{Number(most)}"
                : Number(most);

            string Number(double number) => Unit is null ? Quantity.Duration(number, unit) : Quantity.Number(number);
        }
    }
}
