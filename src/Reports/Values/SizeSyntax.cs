using System.Globalization;

namespace RedisLatency.Reports.Values;

/// <summary>
/// Numbers of bytes with binary units. <c>k</c>, <c>kb</c> and the like are refused: redis.conf and the SI disagree
/// about them.
/// </summary>
internal static class SizeSyntax
{
    private static readonly (string Name, long Bytes)[] Units =
        [("GiB", 1L << 30), ("MiB", 1L << 20), ("KiB", 1L << 10), ("B", 1)];

    public static ValueReading<long> Read(string text)
    {
        var digits = text.TrimEnd([.. "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]);
        var unit = UnitOf(text[digits.Length..]);
        if (!decimal.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var amount))
            return ValueReading.Wrong<long>("a size is needed, for instance 64, 512B, 1KiB or 1MiB");

        if (unit == 0)
            return ValueReading.Wrong<long>("the unit is not known: B, KiB, MiB or GiB (1KiB is 1,024 bytes)");

        if (amount > (decimal)long.MaxValue / unit)
            return ValueReading.Of<long>(long.MaxValue);

        var bytes = amount * unit;
        return bytes == decimal.Truncate(bytes)
            ? ValueReading.Of<long>((long)bytes)
            : ValueReading.Wrong<long>("a whole number of bytes is needed");
    }

    public static string Write(long bytes)
    {
        var (name, size) = Units.FirstOrDefault(unit => bytes >= unit.Bytes && bytes % unit.Bytes == 0, Units[^1]);
        return string.Create(CultureInfo.InvariantCulture, $"{bytes / size}{name}");
    }

    private static long UnitOf(string name) =>
        name.Length == 0
            ? 1
            : Units.FirstOrDefault(unit => unit.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).Bytes;
}
