using System.Globalization;
using System.Text;

namespace RedisLatency.Reports.Page;

/// <summary>A line of a chart; where its value is null there is a gap.</summary>
public sealed record ChartLine(string Name, IReadOnlyList<(double X, double? Y)> Points)
{
    /// <summary>Its colour and its dashes; null where its place among the lines of the chart gives them.</summary>
    public (int Colour, int Dash)? Style { get; init; }

    /// <summary>
    /// Of what is known to lie between two values alone the lower ones, at the same places: then it is drawn as a band.
    /// Null of a line.
    /// </summary>
    public IReadOnlyList<(double X, double? Y)>? Least { get; init; }

    /// <summary>Whether its points stand alone, with no line between them.</summary>
    public bool IsDotted { get; init; }

    /// <summary>Whether it is drawn as dots: asked so, or because no two of its points are neighbours.</summary>
    public bool HasDotsOnly =>
        IsDotted || !Enumerable.Range(1, Math.Max(0, Points.Count - 1)).Any(i => IsKnown(i - 1) && IsKnown(i));

    /// <summary>Whether anything of it is known.</summary>
    public bool HasPoints => Known.Any();

    /// <summary>All that is known of it.</summary>
    public IEnumerable<double> Known => Points.Concat(Least ?? []).Select(point => point.Y).OfType<double>();

    /// <summary>The path of an SVG in a square of 1,000; what the axis does not reach is outside of it.</summary>
    public string Path(ChartAxis x, ChartAxis y)
    {
        var path = new StringBuilder();
        for (var from = 0; from < Points.Count; from++)
        {
            if (!IsKnown(from))
                continue;
            var until = from;
            while (!IsDotted && until + 1 < Points.Count && IsKnown(until + 1))
                until++;
            for (var i = from; i <= until; i++)
                Append(i == from ? 'M' : 'L', Points[i]);
            if (Least is not null)
            {
                for (var i = until; i >= from; i--)
                    Append('L', Least[i]);
                path.Append('z');
            }
            // A point between two gaps shows by its round ends.
            else if (from == until)
            {
                path.Append("h0");
            }

            from = until;
        }

        return path.ToString();

        void Append(char command, (double X, double? Y) point) => path.Append(
            CultureInfo.InvariantCulture, $"{command}{1_000 * x.PlaceOf(point.X):0.#} {Down(y, point.Y!.Value):0.#}");
    }

    /// <summary>Its highest and its lowest point that the axis can show, as the path has them.</summary>
    public (double Top, double Bottom) Reach(ChartAxis y)
    {
        var places = Known.Where(value => double.IsFinite(y.PlaceOf(value))).Select(value => Down(y, value)).ToList();
        return places.Count == 0 ? (0, 1_000) : (places.Min(), places.Max());
    }

    /// <summary>Its value at a place, or its two; null in a gap.</summary>
    public (double? Least, double Most)? At(double x)
    {
        var (low, high) = (0, Points.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (Points[middle].X == x)
                return IsKnown(middle) ? (Least?[middle].Y, Points[middle].Y!.Value) : null;
            (low, high) = Points[middle].X < x ? (middle + 1, high) : (low, middle - 1);
        }

        return null;
    }

    // Zero has no place among orders of magnitude: it is below them all.
    private static double Down(ChartAxis y, double value) =>
        y.PlaceOf(value) is var place && double.IsFinite(place) ? 1_000 * (1 - place) : 1_100;

    private bool IsKnown(int place) => Points[place].Y is not null && (Least is null || Least[place].Y is not null);
}
