using System.Globalization;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.Distributions;

/// <summary>A number that a distribution takes.</summary>
/// <param name="Default">Its value where none is given; null where the keys decide.</param>
/// <param name="IsAllowed">Which values make sense.</param>
/// <param name="Wanted">The same in words.</param>
internal sealed record DistributionParameter(double? Default, Func<double, bool> IsAllowed, string Wanted)
{
    private static readonly ValueSyntax<double> Number = Syntax.Number(double.MinValue, double.MaxValue);

    /// <summary>Reads the value from a text.</summary>
    public ValueReading<double> Read(string text) => Number.Read(text) is { Problem: null } number
        && IsAllowed(number.Value)
            ? number
            : ValueReading.Wrong<double>($"'{text}' is not {Wanted}");

    /// <summary>Writes a value so that it can be read again.</summary>
    public static string Write(double value) => value.ToString(CultureInfo.InvariantCulture);
}
