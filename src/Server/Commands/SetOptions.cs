using RedisLatency.Server.Keyspace;

namespace RedisLatency.Server.Commands;

/// <summary>Options of SET and GETEX, read as <c>parseExtendedStringArgumentsOrReply</c> of Redis 7.0 does.</summary>
internal ref struct SetOptions
{
    public bool OnlyIfAbsent;
    public bool OnlyIfPresent;
    public bool ReturnsOld;
    public bool KeepsExpiry;
    public bool Persists;

    /// <summary>Milliseconds since the Unix epoch, or <see cref="StoredString.Never"/>.</summary>
    public long ExpireAt;

    /// <summary>Reads the words from one on; where they make no sense, the error has been written.</summary>
    public static bool TryRead(CommandCall call, int from, bool isSet, out SetOptions options)
    {
        options = default;
        var (expiryIndex, unit) = (0, ExpiryUnit.Seconds);
        for (var index = from; index < call.Count; index++)
        {
            var hasExpiry = expiryIndex != 0 || options.KeepsExpiry || options.Persists;
            if (isSet && call.Is(index, "NX"u8) && !options.OnlyIfPresent)
            {
                options.OnlyIfAbsent = true;
            }
            else if (isSet && call.Is(index, "XX"u8) && !options.OnlyIfAbsent)
            {
                options.OnlyIfPresent = true;
            }
            else if (isSet && call.Is(index, "GET"u8))
            {
                options.ReturnsOld = true;
            }
            else if (isSet && call.Is(index, "KEEPTTL"u8) && !hasExpiry)
            {
                options.KeepsExpiry = true;
            }
            else if (!isSet && call.Is(index, "PERSIST"u8) && !hasExpiry)
            {
                options.Persists = true;
            }
            else if (!hasExpiry && index + 1 < call.Count && Expiry.TryReadUnit(call[index], out unit))
            {
                expiryIndex = ++index;
            }
            else
            {
                call.SyntaxError();
                return false;
            }
        }

        return expiryIndex == 0 || Expiry.TryRead(call, expiryIndex, unit, mustBePositive: true, out options.ExpireAt);
    }
}
