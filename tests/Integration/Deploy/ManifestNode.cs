using YamlDotNet.RepresentationModel;

namespace RedisLatency.Integration.Deploy;

/// <summary>A value of a manifest with the key that it stands behind.</summary>
/// <param name="Name">The key: <c>type</c>.</param>
/// <param name="NameWithParent">That of what it stands in, too: <c>strategy.type</c>.</param>
/// <param name="Value">What stands there.</param>
internal sealed record ManifestNode(string Name, string NameWithParent, YamlNode Value)
{
    public static IEnumerable<ManifestNode> Parse(string text)
    {
        var stream = new YamlStream();
        stream.Load(new StringReader(text));
        return stream.Documents.Select(document => new ManifestNode("", "", document.RootNode));
    }

    /// <summary>All below it, at any depth.</summary>
    public IEnumerable<ManifestNode> All() => Children().SelectMany(child => child.All().Prepend(child));

    /// <summary>The text that stands there, or those of the list.</summary>
    public IEnumerable<string> Texts() => Value switch
    {
        YamlScalarNode scalar => [scalar.Value ?? string.Empty],
        YamlSequenceNode list => list.Children.OfType<YamlScalarNode>().Select(one => one.Value ?? string.Empty),
        _ => [],
    };

    private IEnumerable<ManifestNode> Children() => Value switch
    {
        YamlMappingNode map => map.Children.Select(one =>
            new ManifestNode(one.Key.ToString(), $"{Name}.{one.Key}", one.Value)),
        YamlSequenceNode list => list.Children.Select(one => this with { Value = one }),
        _ => [],
    };
}
