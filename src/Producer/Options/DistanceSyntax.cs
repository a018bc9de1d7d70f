using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer.Options;

/// <summary>Reads a distance in kilometres: <c>1000km</c>, <c>4047.2km</c>.</summary>
internal static class DistanceSyntax
{
    private const string Unit = "km";

    // Half the circumference of the Earth: nothing on it is farther away.
    private const double Farthest = 20_038;

    public static ValueSyntax<double> Create() => new("KILOMETRES", Read, Write) { Limits = "at most 20,038km" };

    private static ValueReading<double> Read(string text)
    {
        if (!text.EndsWith(Unit, StringComparison.Ordinal) || !double.TryParse(
            text.AsSpan(0, text.Length - Unit.Length),
            NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture,
            out var kilometres))
        {
            return ValueReading.Wrong<double>("a distance with its unit is needed, for instance 1000km");
        }

        return kilometres <= Farthest
            ? ValueReading.Of(kilometres)
            : ValueReading.Wrong<double>("at most 20,038km, half way round the Earth");
    }

    private static string Write(double kilometres) =>
        kilometres.ToString("0.###", CultureInfo.InvariantCulture) + Unit;
}
