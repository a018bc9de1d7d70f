namespace RedisLatency.Redis.Rdb;

/// <summary>The types of values by their numbers in a file, and what they are for those who see the keys.</summary>
public static class RdbType
{
    internal const byte String = 0;
    internal const byte List = 1;
    internal const byte Set = 2;
    internal const byte SortedSet = 3;
    internal const byte Hash = 4;
    internal const byte SortedSet2 = 5;
    internal const byte ModuleBeforeRelease = 6;
    internal const byte Module2 = 7;
    internal const byte HashZipmap = 9;
    internal const byte ListZiplist = 10;
    internal const byte SetIntset = 11;
    internal const byte SortedSetZiplist = 12;
    internal const byte HashZiplist = 13;
    internal const byte Quicklist = 14;
    internal const byte Stream = 15;
    internal const byte HashListpack = 16;
    internal const byte SortedSetListpack = 17;
    internal const byte Quicklist2 = 18;
    internal const byte Stream2 = 19;
    internal const byte SetListpack = 20;
    internal const byte Stream3 = 21;
    internal const byte FirstThatDiffers = 22;
    internal const byte ValkeyHash = 22;
    internal const byte HashTtlBeforeRelease = 22;
    internal const byte HashListpackTtlBeforeRelease = 23;
    internal const byte HashTtl = 24;
    internal const byte HashListpackTtl = 25;
    internal const byte Stream4 = 26;
    internal const byte Stream5 = 27;
    internal const byte Array = 28;

    /// <summary>What TYPE would say of such a value.</summary>
    public static RdbKind KindOf(byte type, RdbFormat format) => type switch
    {
        String => RdbKind.String,
        List or ListZiplist or Quicklist or Quicklist2 => RdbKind.List,
        Set or SetIntset or SetListpack => RdbKind.Set,
        SortedSet or SortedSet2 or SortedSetZiplist or SortedSetListpack => RdbKind.SortedSet,
        Hash or HashZipmap or HashZiplist or HashListpack => RdbKind.Hash,
        Stream or Stream2 or Stream3 => RdbKind.Stream,
        Module2 => RdbKind.Module,
        ValkeyHash when format.IsValkey => RdbKind.Hash,
        >= HashTtlBeforeRelease and <= HashListpackTtl when !format.IsValkey => RdbKind.Hash,
        Stream4 or Stream5 when !format.IsValkey => RdbKind.Stream,
        Array when !format.IsValkey => RdbKind.Array,
        _ => RdbKind.Unknown,
    };
}
