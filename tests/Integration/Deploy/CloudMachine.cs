using YamlDotNet.RepresentationModel;

namespace RedisLatency.Integration.Deploy;

/// <summary>What a machine of a cloud is given for its first start, as cloud-init reads it.</summary>
internal sealed class CloudMachine
{
    private readonly YamlMappingNode _root;

    /// <param name="text">What cloud-init is given.</param>
    public CloudMachine(string text)
    {
        Text = text;
        var stream = new YamlStream();
        stream.Load(new StringReader(text));
        _root = (YamlMappingNode)stream.Documents.ShouldHaveSingleItem().RootNode;
    }

    public string Text { get; }

    /// <summary>The files that are written first: path, rights, content.</summary>
    public IEnumerable<(string Path, UnixFileMode Mode, string Content)> Files =>
        from file in ((YamlSequenceNode)_root["write_files"]).Cast<YamlMappingNode>()
        let mode = file.Children.TryGetValue("permissions", out var text) ? text.ToString() : "0644"
        select (file["path"].ToString(), (UnixFileMode)Convert.ToInt32(mode, 8), file["content"].ToString());

    /// <summary>What is run then.</summary>
    public string Script => _root["runcmd"][0].ToString();

    /// <summary>The instance of the unit.</summary>
    public UnitSample Instance => UnitSample.Parse(
        Files.Single(file => file.Path.EndsWith(".env", StringComparison.Ordinal)).Content
            .Split('\n', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>Where the Producer looks for the Consumer's clock, or the Consumer listens.</summary>
    public Uri Probe => Instance.Command.Split(' ')
        .Where(word => word.StartsWith("--probe=", StringComparison.Ordinal))
        .Select(word => new Uri(word["--probe=".Length..])).ShouldHaveSingleItem();
}
