using System.Globalization;
using RedisLatency.Reports.Output;

namespace RedisLatency.Lab.SelfTest;

internal static class Amount
{
    /// <summary>A duration of either sign: <c>-3.002 ms</c>.</summary>
    public static string Of(double nanoseconds) =>
        nanoseconds < 0 ? $"-{Quantity.Duration(-nanoseconds)}" : Quantity.Duration(nanoseconds);

    public static string Ppm(double ppm) => string.Create(CultureInfo.InvariantCulture, $"{ppm:0.000} ppm");

    public static string Count(long? count) => count is { } known ? Quantity.Count(known) : Quantity.None;
}
