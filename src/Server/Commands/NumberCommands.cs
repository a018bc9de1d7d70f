using System.Buffers.Text;
using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Server.Commands;

internal static class NumberCommands
{
    public static IEnumerable<CommandDescription> All { get; } =
    [
        StringCommands.OneKey("incr", 2, StringCommands.WriteFast, static call => Add(call, 1)),
        StringCommands.OneKey("decr", 2, StringCommands.WriteFast, static call => Add(call, -1)),
        StringCommands.OneKey("incrby", 3, StringCommands.WriteFast, AddGiven),
        StringCommands.OneKey("decrby", 3, StringCommands.WriteFast, SubtractGiven),
        StringCommands.OneKey("incrbyfloat", 3, StringCommands.WriteFast, AddFloat),
    ];

    private static void AddGiven(CommandCall call)
    {
        if (call.TryGetInteger(2, out var amount))
            Add(call, amount);
    }

    private static void SubtractGiven(CommandCall call)
    {
        if (!call.TryGetInteger(2, out var amount))
            return;
        if (amount == long.MinValue)
            call.Error("ERR decrement would overflow");
        else
            Add(call, -amount);
    }

    private static void Add(CommandCall call, long amount)
    {
        var number = 0L;
        if (call.Database.Find(call[1]) is { } found && !RespRequestReader.TryParse(found.Value, out number))
        {
            call.NotAnInteger();
            return;
        }

        var sum = unchecked(number + amount);
        if (((number ^ sum) & (amount ^ sum)) < 0)
        {
            call.Error("ERR increment or decrement would overflow");
            return;
        }

        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(sum, digits, out var length);
        call.Database.FindOrAdd(call[1]).Assign(digits[..length]);
        call.Integer(sum);
    }

    /// <summary>
    /// Redis adds long doubles and prints 17 digits after the point. Decimals do the same sums exactly in the range
    /// that people count in; beyond it doubles are used, and the last digits may differ.
    /// </summary>
    private static void AddFloat(CommandCall call)
    {
        var found = call.Database.Find(call[1]);
        ReadOnlySpan<byte> present = found is null ? "0"u8 : found.Value;
        if (!TryParse(present, out var number) || !TryParse(call[2], out var amount))
        {
            call.Error("ERR value is not a valid float");
            return;
        }

        if (!double.IsFinite(number + amount))
        {
            call.Error("ERR increment would produce NaN or Infinity");
            return;
        }

        var sum = Encoding.ASCII.GetBytes(Sum(present, call[2], number + amount));
        call.Database.FindOrAdd(call[1]).Assign(sum);
        call.Reply.WriteBulkString(sum);
    }

    private static bool TryParse(ReadOnlySpan<byte> text, out double number)
    {
        const NumberStyles style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint
            | NumberStyles.AllowExponent;
        number = 0;
        if (Ascii.EqualsIgnoreCase(text, "inf"u8) || Ascii.EqualsIgnoreCase(text, "+inf"u8))
            number = double.PositiveInfinity;
        else if (Ascii.EqualsIgnoreCase(text, "-inf"u8))
            number = double.NegativeInfinity;
        else
            return double.TryParse(text, style, CultureInfo.InvariantCulture, out number) && !double.IsNaN(number);
        return true;
    }

    private static string Sum(ReadOnlySpan<byte> present, ReadOnlySpan<byte> amount, double fallBack)
    {
        if (Math.Abs(fallBack) < 1e10
            && decimal.TryParse(present, NumberStyles.Float, CultureInfo.InvariantCulture, out var left)
            && decimal.TryParse(amount, NumberStyles.Float, CultureInfo.InvariantCulture, out var right))
        {
            return Math.Round(left + right, 17).ToString("0.#################", CultureInfo.InvariantCulture);
        }

        return fallBack.ToString("0.#################", CultureInfo.InvariantCulture);
    }
}
