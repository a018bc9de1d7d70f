namespace RedisLatency.Redis.Rdb;

/// <summary>Finds where a value ends without looking into it.</summary>
internal static class RdbValueSkipping
{
    private const ulong StreamIdBytes = 16;
    private const ulong TimeBytes = 8;
    private const ulong TwoTimes = 16;
    private const ulong DoubleBytes = 8;
    private const byte FirstNamedDouble = 253;

    public static void SkipValue(this RdbInput input, byte type, RdbFormat format)
    {
        switch (type)
        {
            case RdbType.String or RdbType.HashZipmap or RdbType.ListZiplist or RdbType.SetIntset
                or RdbType.SortedSetZiplist or RdbType.HashZiplist or RdbType.HashListpack
                or RdbType.SortedSetListpack or RdbType.SetListpack:
                input.SkipString();
                break;
            case RdbType.List or RdbType.Set or RdbType.Quicklist:
                SkipStrings(input, 1);
                break;
            case RdbType.Hash:
                SkipStrings(input, 2);
                break;
            case RdbType.SortedSet:
                for (var left = input.ReadLength(); left > 0; left--)
                {
                    input.SkipString();
                    if (input.ReadByte() is < FirstNamedDouble and var length)
                        input.Skip(length);
                }

                break;
            case RdbType.SortedSet2:
                SkipStrings(input, 1, then: DoubleBytes);
                break;
            case RdbType.Quicklist2:
                for (var left = input.ReadLength(); left > 0; left--)
                {
                    input.ReadLength();
                    input.SkipString();
                }

                break;
            case RdbType.Module2:
                input.ReadLength();
                input.SkipModuleFields();
                break;
            case RdbType.ValkeyHash when format.IsValkey:
                SkipStrings(input, 2, then: TimeBytes);
                break;
            case RdbType.HashTtlBeforeRelease when !format.IsValkey:
                SkipTimedFields(input);
                break;
            case RdbType.HashTtl when !format.IsValkey:
                input.Skip(TimeBytes);
                SkipTimedFields(input);
                break;
            case RdbType.HashListpackTtlBeforeRelease when !format.IsValkey:
                input.SkipString();
                break;
            case RdbType.HashListpackTtl when !format.IsValkey:
                input.Skip(TimeBytes);
                input.SkipString();
                break;
            case RdbType.Array when !format.IsValkey:
                SkipArray(input);
                break;
            default:
                if (RdbType.KindOf(type, format) != RdbKind.Stream)
                    throw UnknownType(input, type, format);
                SkipStream(input, StreamLayout.Of(type));
                break;
        }
    }

    /// <summary>A module's own fields, which say themselves what they are, up to their end.</summary>
    public static void SkipModuleFields(this RdbInput input)
    {
        while (true)
        {
            switch (input.ReadLength())
            {
                case 0:
                    return;
                case 1 or 2:
                    input.ReadLength();
                    break;
                case 3:
                    input.Skip(sizeof(float));
                    break;
                case 4:
                    input.Skip(DoubleBytes);
                    break;
                case 5:
                    input.SkipString();
                    break;
                case var other:
                    throw input.Fault($"a module's field of kind {other}");
            }
        }
    }

    /// <summary>What modules attached to a key: so many classes, each with a number and its fields.</summary>
    public static void SkipKeyMetadata(this RdbInput input)
    {
        for (var classes = input.ReadLength(); classes > 0; classes--)
        {
            input.Skip(sizeof(uint));
            input.SkipModuleFields();
        }
    }

    // How many elements an array has, and where the last one was inserted.
    public static (ulong Count, ulong? Inserted) ReadArrayHead(this RdbInput input)
    {
        var count = input.ReadLength();
        return input.ReadLength() switch
        {
            0 => (count, null),
            1 => (count, input.ReadLength()),
            var other => throw input.Fault($"an array whose place of insertion is of kind {other}"),
        };
    }

    // What the value of an array's element is; it follows.
    public static RdbArrayTag ReadArrayTag(this RdbInput input) => input.ReadLength() is <= 3 and var tag
        ? (RdbArrayTag)tag
        : throw input.Fault("an array's element of a kind that is not known");

    public static RdbException UnknownType(RdbInput input, byte type, RdbFormat format) => input.Fault(
        type == RdbType.ModuleBeforeRelease
            ? "a module's value of a release candidate of Redis 4.0, which no release reads"
            : $"a value of type {type}, which is not known of {format}: where it ends cannot be told");

    private static void SkipStrings(RdbInput input, int each, ulong then = 0)
    {
        for (var left = input.ReadLength(); left > 0; left--)
        {
            for (var i = 0; i < each; i++)
                input.SkipString();
            input.Skip(then);
        }
    }

    private static void SkipTimedFields(RdbInput input)
    {
        for (var left = input.ReadLength(); left > 0; left--)
        {
            input.ReadLength();
            input.SkipString();
            input.SkipString();
        }
    }

    private static void SkipArray(RdbInput input)
    {
        var left = input.ReadArrayHead().Count;
        for (; left > 0; left--)
        {
            input.ReadLength();
            if (input.ReadArrayTag() is RdbArrayTag.Integer or RdbArrayTag.Double)
                input.Skip(sizeof(long));
            else
                input.SkipString();
        }
    }

    private static void SkipStream(RdbInput input, StreamLayout layout)
    {
        SkipStrings(input, 2);
        SkipLengths(input, layout.HasCounts ? 8 : 3);
        for (var groups = input.ReadLength(); groups > 0; groups--)
        {
            input.SkipString();
            SkipLengths(input, layout.HasCounts ? 3 : 2);
            for (var pending = input.ReadLength(); pending > 0; pending--)
            {
                input.Skip(StreamIdBytes + TimeBytes);
                input.ReadLength();
            }

            for (var consumers = input.ReadLength(); consumers > 0; consumers--)
            {
                input.SkipString();
                input.Skip(layout.HasActiveTime ? TwoTimes : TimeBytes);
                for (var pending = input.ReadLength(); pending > 0; pending--)
                    input.Skip(StreamIdBytes);
            }

            if (layout.HasUnowned)
            {
                for (var unowned = input.ReadLength(); unowned > 0; unowned--)
                    input.Skip(StreamIdBytes);
            }
        }

        if (layout.HasProducers)
            SkipProducers(input);
    }

    // Streams of Redis 8.6 remember which producers' messages they have: duration, most, producers with their ids,
    // counts of added and of duplicates.
    public static void SkipProducers(RdbInput input)
    {
        SkipLengths(input, 2);
        for (var producers = input.ReadLength(); producers > 0; producers--)
        {
            input.SkipString();
            for (var ids = input.ReadLength(); ids > 0; ids--)
            {
                input.SkipString();
                SkipLengths(input, 2);
            }
        }

        SkipLengths(input, 2);
    }

    private static void SkipLengths(RdbInput input, int count)
    {
        for (; count > 0; count--)
            input.ReadLength();
    }
}

/// <summary>How an array has one of its elements (sparsearray.h of Redis 8.8).</summary>
internal enum RdbArrayTag
{
    Text,
    Integer,
    Double,
    ShortText,
}
