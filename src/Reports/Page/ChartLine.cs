using System.Globalization;
using System.Text;

namespace RedisLatency.Reports.Page;

/// <summary>A line of a chart; where its value is null there is a gap.</summary>
public sealed record ChartLine(string Name, IReadOnlyList<(double X, double? Y)> Points)
{
    /// <summary>Its colour and its dashes; null where its place among the lines of the chart gives them.</summary>
    public (int Colour, int Dash)? Style { get; init; }

    /// <summary>Whether anything of it is known.</summary>
    public bool HasPoints => Points.Any(point => point.Y is not null);

    /// <summary>The path of an SVG in a square of 1,000; what the axis does not reach is outside of it.</summary>
    public string Path(ChartAxis x, ChartAxis y)
    {
        var path = new StringBuilder();
        var isDown = false;
        for (var i = 0; i < Points.Count; i++)
        {
            if (Points[i].Y is not { } value)
            {
                isDown = false;
                continue;
            }

            var (across, up) = (1_000 * x.PlaceOf(Points[i].X), 1_000 * (1 - y.PlaceOf(value)));
            path.Append(CultureInfo.InvariantCulture, $"{(isDown ? 'L' : 'M')}{across:0.#} {up:0.#}");
            // A point between two gaps shows by its round ends.
            if (!isDown && (i + 1 == Points.Count || Points[i + 1].Y is null))
                path.Append("h0");
            isDown = true;
        }

        return path.ToString();
    }

    /// <summary>Its highest and its lowest point, as the path has them.</summary>
    public (double Top, double Bottom) Reach(ChartAxis y)
    {
        var places = Points.Select(point => point.Y).OfType<double>().Select(y.PlaceOf).ToList();
        return (1_000 * (1 - places.Max()), 1_000 * (1 - places.Min()));
    }

    /// <summary>Its value at a place; null in a gap.</summary>
    public double? At(double x)
    {
        var (low, high) = (0, Points.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (Points[middle].X == x)
                return Points[middle].Y;
            (low, high) = Points[middle].X < x ? (middle + 1, high) : (low, middle - 1);
        }

        return null;
    }
}
