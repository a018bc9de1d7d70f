using System.Globalization;
using System.Text;

namespace RedisLatency.Redis.Resp;

/// <summary>A reply as a tree, for everything that is not measured.</summary>
public sealed class RespValue
{
    private readonly byte[] _content;

    private RespValue(RespType type, bool isNull, long number, byte[] content, RespValue[] items)
    {
        Type = type;
        IsNull = isNull;
        Number = number;
        _content = content;
        Items = items;
    }

    /// <summary>The type.</summary>
    public RespType Type { get; }

    /// <summary>Whether it is a null of either protocol.</summary>
    public bool IsNull { get; }

    /// <summary>An integer's value, a boolean's 0 or 1; else zero.</summary>
    public long Number { get; }

    /// <summary>The elements of an array, set or push; keys and values of a map in turn; else empty.</summary>
    public IReadOnlyList<RespValue> Items { get; }

    /// <summary>Whether it is a simple or a bulk error.</summary>
    public bool IsError => Type is RespType.Error or RespType.BulkError;

    /// <summary>The bytes of a string, error or number.</summary>
    public ReadOnlySpan<byte> Content => _content;

    /// <summary>The text of a string, error or number, from UTF-8; empty for nulls and aggregates.</summary>
    public string Text => Encoding.UTF8.GetString(_content);

    /// <summary>The value that follows a key in a map, or in the flat array that RESP2 sends for it; or null.</summary>
    public RespValue? Find(string key)
    {
        for (var i = 0; i + 1 < Items.Count; i += 2)
        {
            if (Items[i].Text == key)
                return Items[i + 1];
        }

        return null;
    }

    /// <inheritdoc/>
    public override string ToString() => this switch
    {
        { IsNull: true } => "(null)",
        { Items.Count: > 0 } => $"[{string.Join(", ", Items)}]",
        { Type: RespType.Array or RespType.Map or RespType.Set or RespType.Push } => "[]",
        { Type: RespType.Integer } => Number.ToString(CultureInfo.InvariantCulture),
        _ => Text,
    };

    /// <summary>Reads an element of a reply, with all that is in it.</summary>
    public static RespValue From(ref RespCursor cursor)
    {
        var children = cursor.Children;
        var isAggregate = cursor.Type is RespType.Array or RespType.Map or RespType.Set or RespType.Push;
        var number = cursor.Type is RespType.Integer or RespType.Boolean ? cursor.Number : 0;
        var (type, isNull) = (cursor.Type, cursor.IsNull);
        var content = isAggregate || isNull ? [] : cursor.Content.ToArray();
        var items = children == 0 ? [] : new RespValue[children];
        for (var i = 0; i < items.Length; i++)
        {
            cursor.MoveNext();
            items[i] = From(ref cursor);
        }

        return new RespValue(type, isNull, number, content, items);
    }
}
